package dev.kudu4j.benchmarks.options;

import dev.kudu4j.benchmarks.cluster.OurDistribution;
import dev.kudu4j.benchmarks.cluster.PublishedDistribution;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The directories of the servers' programs. */
public final class HomeOptions {
  @Option(
      names = "--home",
      defaultValue = "${sys:kudu4j.home:-.}",
      paramLabel = "DIR",
      description = "The directory with Kudu4j's bin/kudu.")
  private Path home;

  @Option(
      names = "--published",
      defaultValue = "${sys:kudu4j.published:-published-kudu}",
      paramLabel = "DIR",
      description = "The unpacked kudu-binary archive; by default the one the build unpacked.")
  private Path published;

  public Path home() {
    return home;
  }

  /** The servers of Kudu4j. */
  public OurDistribution ours() {
    return new OurDistribution(home);
  }

  /** The servers of the published Apache Kudu. */
  public PublishedDistribution published() {
    return new PublishedDistribution(published);
  }
}
