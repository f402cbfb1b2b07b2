package dev.kudu4j.server.process;

import static j2html.TagCreator.a;
import static j2html.TagCreator.h2;

import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.memory.MemoryTracker;
import dev.kudu4j.server.web.View;
import dev.kudu4j.server.web.WebPage;
import dev.kudu4j.server.web.html.Bars;
import dev.kudu4j.server.web.html.Facts;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.server.web.html.Tiles;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The home page of a server: its key figures and its identity. */
final class OverviewPage {
  private final ServerProcess process;

  private OverviewPage(ServerProcess process) {
    this.process = process;
  }

  static WebPage of(ServerProcess process) {
    OverviewPage page = new OverviewPage(process);
    return WebPage.of("/", "Overview", query -> page.view());
  }

  private View view() {
    return View.of(
        "Overview",
        tiles().list(),
        h2("Server"),
        facts().list(),
        h2("For programs"),
        links().list());
  }

  private Tiles tiles() {
    Tiles tiles = process.pages().tiles(new Tiles());
    MemoryTracker total = process.memory().total();
    String kind = process.share().isWhole() ? " memory" : " memory for data";
    return tiles.add(
        "of " + Figures.bytesText(total.limitBytes()) + kind,
        Figures.bytes(total.usedBytes()),
        Bars.ofLimit(total.usedBytes(), total.limitBytes()),
        "/mem-trackers");
  }

  private long upNanos() {
    long now = process.clock().source().nowMicros();
    return TimeUnit.MICROSECONDS.toNanos(now - process.identity().startedMicros());
  }

  private Facts facts() {
    return new Facts()
        .addId("UUID", process.identity().uuid())
        .add("Version", process.identity().version())
        .add("Started", Figures.moment(process.identity().startedMicros()))
        .add("Up for", Figures.duration(upNanos()))
        .addId("RPC", addresses(process.identity().rpcAddresses()))
        .addId("Raft", process.identity().raft().toString())
        .addId("WAL in", process.files().walDirectory().toString())
        .addId(
            "Data in",
            process.files().dataDirectories().stream()
                .map(Path::toString)
                .collect(Collectors.joining(", ")))
        .add("Process", Long.toString(ProcessHandle.current().pid()))
        .add(
            "Java",
            System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
  }

  private static String addresses(List<HostPort> all) {
    return all.stream().map(HostPort::toString).collect(Collectors.joining(", "));
  }

  private static Facts links() {
    return new Facts()
        .add("Prometheus", a("/metrics_prometheus").withHref("/metrics_prometheus"))
        .add("JSON", a("/metrics").withHref("/metrics"))
        .add("Health", a("/healthz").withHref("/healthz"));
  }
}
