// The text format that Prometheus scrapes, for each kind of metric, and under many threads.
import CoreMetrics
import Dispatch
import PrometheusExporter
import Testing

@Suite struct PrometheusExporterTests {
  @Test("Counters, gauges and meters are exported with their help and type, sorted by name and labels")
  func kinds() {
    let exporter = PrometheusExporter(describing: [
      "b_total": MetricDescription(help: "What was counted."),
      "a_bytes": MetricDescription(help: "What is there."),
    ])
    Counter(label: "b_total", dimensions: [("type", "z")], factory: exporter).increment(by: 2)
    Counter(label: "b_total", dimensions: [("type", "a")], factory: exporter).increment()
    Gauge(label: "a_bytes", factory: exporter).record(12)
    let meter = Meter(label: "c", factory: exporter)
    meter.set(1.5)
    meter.increment(by: 1)
    meter.decrement(by: 0.25)
    FloatingPointCounter(label: "d_seconds_total", factory: exporter).increment(by: 0.125)
    #expect(
      exporter.text() == """
        # HELP a_bytes What is there.
        # TYPE a_bytes gauge
        a_bytes 12
        # HELP b_total What was counted.
        # TYPE b_total counter
        b_total{type="a"} 1
        b_total{type="z"} 2
        # TYPE c gauge
        c 2.25
        # TYPE d_seconds_total counter
        d_seconds_total 0.125

        """
    )
  }

  @Test("A histogram's buckets count all values up to their bound, and the infinite one counts every value")
  func histogram() {
    let exporter = PrometheusExporter(describing: [
      "t_seconds": MetricDescription(help: "How long.", bounds: [0.001, 0.5, 2]),
      "s_bytes": MetricDescription(help: "How much.", bounds: [1_024]),
    ])
    let timer = Timer(label: "t_seconds", dimensions: [("of", "x")], factory: exporter)
    timer.recordNanoseconds(1_000_000)
    timer.recordNanoseconds(1_000_001)
    timer.recordNanoseconds(500_000_000)
    timer.recordNanoseconds(3_000_000_000)
    Recorder(label: "s_bytes", factory: exporter).record(1_025)
    #expect(
      exporter.text() == """
        # HELP s_bytes How much.
        # TYPE s_bytes histogram
        s_bytes_bucket{le="1024"} 0
        s_bytes_bucket{le="+Inf"} 1
        s_bytes_sum 1025
        s_bytes_count 1
        # HELP t_seconds How long.
        # TYPE t_seconds histogram
        t_seconds_bucket{of="x",le="0.001"} 1
        t_seconds_bucket{of="x",le="0.5"} 3
        t_seconds_bucket{of="x",le="2"} 3
        t_seconds_bucket{of="x",le="+Inf"} 4
        t_seconds_sum{of="x"} 3.502000001
        t_seconds_count{of="x"} 4

        """
    )
  }

  @Test("Labels and helps are escaped, and invalid names are replaced by valid ones")
  func escapes() {
    let exporter = PrometheusExporter(describing: ["a_b": MetricDescription(help: "back\\slash\nline \"quoted\"")])
    Gauge(label: "a.b", dimensions: [("é-1", "a\"b\\c\nd"), ("1", "마당")], factory: exporter).record(1)
    #expect(
      exporter.text() == """
        # HELP a_b back\\\\slash\\nline "quoted"
        # TYPE a_b gauge
        a_b{_1="마당",__1="a\\"b\\\\c\\nd"} 1

        """
    )
  }

  @Test("NaN and infinities are written in the text format's form")
  func numbers() {
    let exporter = PrometheusExporter()
    let gauge = Gauge(label: "g", factory: exporter)
    for (value, text) in [
      (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0.1, "0.1"), (1e-7, "1e-07"),
    ] {
      gauge.record(value)
      #expect(exporter.text() == "# TYPE g gauge\ng \(text)\n")
    }
  }

  @Test("A counter never decreases, and an invalid amount is not counted")
  func counterOnlyRises() {
    let exporter = PrometheusExporter()
    let counter = Counter(label: "c_total", factory: exporter)
    counter.increment(by: 3)
    counter.increment(by: -2)
    let seconds = FloatingPointCounter(label: "s_total", factory: exporter)
    seconds.increment(by: 1.5)
    seconds.increment(by: -1.0)
    seconds.increment(by: Double.nan)
    seconds.increment(by: Double.infinity)
    #expect(exporter.text().contains("c_total 3\n"))
    #expect(exporter.text().contains("s_total 1.5\n"))
  }

  @Test("Equal names and labels share one series; a second kind under a name is not exported")
  func sameSeries() {
    let exporter = PrometheusExporter()
    Counter(label: "c_total", dimensions: [("a", "1"), ("b", "2")], factory: exporter).increment()
    Counter(label: "c_total", dimensions: [("b", "2"), ("a", "1")], factory: exporter).increment()
    Gauge(label: "c_total", factory: exporter).record(7)
    Gauge(label: "c_total", dimensions: [("a", "1"), ("b", "2")], factory: exporter).record(7)
    #expect(exporter.text() == "# TYPE c_total counter\nc_total{a=\"1\",b=\"2\"} 2\n")
  }

  @Test("A destroyed metric is not exported")
  func destroyed() {
    let exporter = PrometheusExporter()
    let gauge = Gauge(label: "g", dimensions: [("a", "1")], factory: exporter)
    Gauge(label: "g", dimensions: [("a", "2")], factory: exporter).record(1)
    gauge.destroy()
    #expect(exporter.text() == "# TYPE g gauge\ng{a=\"2\"} 1\n")
  }

  @Test("Many threads add to the same series without a loss")
  func threads() {
    let exporter = PrometheusExporter(describing: ["t_seconds": MetricDescription(help: "", bounds: [1])])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let counter = Counter(label: "c_total", factory: exporter)
      let timer = Timer(label: "t_seconds", factory: exporter)
      let meter = Meter(label: "m", factory: exporter)
      for _ in 0..<1_000 {
        counter.increment()
        timer.recordNanoseconds(500_000_000)
        meter.increment(by: 1)
      }
    }
    let text = exporter.text()
    #expect(text.contains("c_total 8000\n"))
    #expect(text.contains("t_seconds_sum 4000\n"))
    #expect(text.contains("t_seconds_count 8000\n"))
    #expect(text.contains("m 8000\n"))
  }
}
