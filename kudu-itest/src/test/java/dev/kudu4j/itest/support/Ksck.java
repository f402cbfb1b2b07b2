package dev.kudu4j.itest.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tools.Kudu;
import java.io.PrintWriter;
import java.io.StringWriter;

/** {@code kudu cluster ksck --checksum_scan}, our own tool's. */
public final class Ksck {
  private Ksck() {}

  /** Fails if a replica is not healthy, or if two replicas of a tablet have different rows. */
  public static void verifyEqualReplicas(String masters) {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    int verdict =
        Kudu.commandLine()
            .setOut(writer)
            .setErr(writer)
            .execute("cluster", "ksck", masters, "--checksum_scan");
    assertThat(verdict).as("%s", output).isZero();
  }
}
