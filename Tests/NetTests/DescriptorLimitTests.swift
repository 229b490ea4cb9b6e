// The number of connections that fit into a limit of descriptors.
import Net
import Testing

@Suite struct DescriptorLimitTests {
  @Test(
    "All but 256 of many, three quarters of few",
    arguments: [
      (1_048_576, 1_048_320), (1_024, 768), (1_023, 768), (1_020, 765), (256, 192), (64, 48), (4, 3), (3, 3), (0, 0),
    ]
  )
  func connectionsMax(descriptors: Int, connections: Int) {
    #expect(DescriptorLimit.connectionsMax(of: descriptors) == connections)
  }

  @Test("By default a server takes as many connections as this process has room for")
  func defaultLimit() {
    #expect(NetLimits().connectionsMax == DescriptorLimit.connectionsMax(of: DescriptorLimit.current))
    #expect(NetLimits().connectionsMax > 0)
  }
}
