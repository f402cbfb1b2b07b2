package dev.kudu4j.tools;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs a cluster in a temporary directory for about a second, and writes and reads one table with
 * verbs. This loads the classes of a cluster start and of the common verbs. {@code bin/kudu} runs
 * this with {@code -XX:ArchiveClassesAtExit}; later starts map those classes from the archive
 * instead of parsing them.
 */
public final class WarmUp {
  private WarmUp() {}

  /** Exits with 0 if all steps succeeded. */
  public static void main(String[] arguments) throws Exception {
    Kudu.logAsDaemon();
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().webPages(true).start()) {
      useTable(cluster.masterAddresses());
    }
    System.exit(0); // immediately, without waiting for idle thread pools
  }

  private static void useTable(String masters) throws IOException {
    Path csv = Files.createTempFile("kudu-warm-up-", ".csv");
    try {
      Files.writeString(csv, "key,value\n1,one\n2,NA\n");
      run("table", "create", masters, "warm_up", "--columns=key int64 key, value string nullable");
      run("table", "import", masters, "warm_up", csv.toString());
      run("table", "scan", masters, "warm_up", "--where=key >= 1");
      run("table", "list", masters);
      run("table", "describe", masters, "warm_up");
      run("cluster", "ksck", masters);
    } finally {
      Files.delete(csv);
    }
  }

  private static void run(String... arguments) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    int verdict = Kudu.commandLine().setOut(nowhere).setErr(nowhere).execute(arguments);
    if (verdict != 0) {
      throw new IllegalStateException(
          "kudu " + String.join(" ", arguments) + " ended with exit code " + verdict);
    }
  }
}
