package dev.kudu4j.tools;

import dev.kudu4j.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A cluster that lives for a second in a temporary directory, with one table that is written and
 * read by the verbs, so that the classes of a start and of each common verb have been loaded.
 * {@code bin/kudu} runs this with {@code -XX:ArchiveClassesAtExit}; later starts map those classes
 * instead of parsing them.
 */
public final class WarmUp {
  private WarmUp() {}

  /** Exits with 0 when everything was reached. */
  public static void main(String[] arguments) throws Exception {
    Kudu.logAsDaemon();
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().webPages(true).start()) {
      useTable(cluster.masterAddresses());
    }
    System.exit(0); // at once, whatever pool still idles
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
          "kudu " + String.join(" ", arguments) + " ends with " + verdict);
    }
  }
}
