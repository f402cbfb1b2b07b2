package dev.kudu4j.tools.local;

import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.server.process.ClosingOnSignal;
import dev.kudu4j.tools.logging.RecentLines;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a cluster in this process until it gets a signal. */
@Command(
    name = "run",
    description =
        "Runs a cluster in this process until it gets a signal; the log goes to"
            + " standard error.",
    mixinStandardHelpOptions = true)
final class RunVerb implements Callable<Integer> {
  @Mixin private LocalClusterOptions options;

  @Override
  @SuppressWarnings("try") // the lock is only held
  public Integer call() throws IOException, InterruptedException {
    Logger log = LoggerFactory.getLogger(RunVerb.class);
    ClusterDirectory directory = options.directory();
    Files.createDirectories(directory.path());
    ClusterShape shape = options.shape();
    try (ClusterLock lock = ClusterLock.take(directory.lockFile())) {
      PortCheck.check(shape);
      shape.write(directory.shapeFile());
      EmbeddedCluster cluster =
          EmbeddedCluster.builder()
              .masterFlag("--txn_manager_enabled")
              .directory(directory.path())
              .masters(shape.masters())
              .tabletServers(shape.tabletServers())
              .ports(shape.ports())
              .memoryPerServerBytes(
                  LocalMemory.perTabletServer(
                      shape.memoryBytes(), shape.masters(), shape.tabletServers()))
              .webPages(true)
              .recentLog(RecentLines.attach())
              .start();
      log.info("The cluster is running at {}", cluster.masterAddresses());
      ClosingOnSignal.register(cluster);
      Thread.currentThread().join();
      return 0;
    }
  }
}
