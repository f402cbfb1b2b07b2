package dev.kudu4j.tablet.check;

import com.google.protobuf.TextFormat;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;

/** Prints a superblock as text. */
public final class SuperblockDump {
  private SuperblockDump() {}

  /**
   * Prints the superblock of the environment's directory, including unknown fields.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION, NOT_FOUND
   */
  public static void print(TabletEnvironment environment, Appendable out) throws IOException {
    SuperblockFile file = new SuperblockFile(environment.files(), environment.directory());
    TextFormat.printer().print(file.read(), out);
  }
}
