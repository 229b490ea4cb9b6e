// The number of connections that fit into a limit of descriptors.
import Net
import Testing

@Suite struct DescriptorLimitTests {
  @Test(
    "Of many descriptors all but 256 are for connections, of few three quarters",
    arguments: [
      (1_048_576, 1_048_320), (1_024, 768), (1_023, 768), (1_020, 765), (256, 192), (64, 48), (4, 3), (3, 3), (0, 0),
    ]
  )
  func connectionsMax(descriptors: Int, connections: Int) {
    #expect(DescriptorLimit.connectionsMax(of: descriptors) == connections)
  }

  @Test("By default a server accepts as many connections as the process has descriptors for")
  func defaultLimit() {
    #expect(NetLimits().connectionsMax == DescriptorLimit.connectionsMax(of: DescriptorLimit.current))
    #expect(NetLimits().connectionsMax > 0)
  }
}
