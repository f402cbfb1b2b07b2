package dev.kudu4j.server.fs;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.status.KuduException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The permanent identity of a server, created at its first start.
 *
 * @param uuid 32 hex digits
 * @param daemon the program to which the directories belong
 * @param raftPort the server's Raft port; permanent, because the other members of its groups know
 *     it
 */
public record Instance(String uuid, String daemon, int raftPort) {
  /** The name of the identity's file in the server's directory. */
  public static final String FILE_NAME = "instance";

  private static final int FORMAT_VERSION = 1;

  /**
   * Reads an instance file.
   *
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION if the file is damaged, NOT_SUPPORTED
   *     for another format version
   */
  public static Instance read(Path file) throws IOException {
    return decode(Files.readString(file), file.toString());
  }

  String encode() {
    return "# The identity of this server. Do not edit, do not copy to another server.\n"
        + "format_version="
        + FORMAT_VERSION
        + "\nuuid="
        + uuid
        + "\ndaemon="
        + daemon
        + "\nraft_port="
        + raftPort
        + "\n";
  }

  /**
   * @param name the name of the file, for messages
   */
  static Instance decode(String text, String name) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw KuduException.corruption("The instance file %s cannot be read: %s", name, e);
    }
    int version = number(properties, "format_version", name);
    if (version != FORMAT_VERSION) {
      throw KuduException.notSupported(
          "The instance file %s has format %d; this release reads format %d",
          name, version, FORMAT_VERSION);
    }
    String uuid = properties.getProperty("uuid", "");
    if (!HexId.isValid(uuid)) {
      throw KuduException.corruption(
          "The instance file %s has uuid %s, which is not 32 hex digits",
          name, UntrustedText.format(uuid));
    }
    int raftPort = number(properties, "raft_port", name);
    if (raftPort < 0 || raftPort > 65_535) {
      throw KuduException.corruption(
          "The instance file %s has raft_port %d, which is not a port", name, raftPort);
    }
    return new Instance(uuid, properties.getProperty("daemon", ""), raftPort);
  }

  private static int number(Properties properties, String key, String name) {
    try {
      return Integer.parseInt(properties.getProperty(key, ""));
    } catch (NumberFormatException e) {
      throw KuduException.corruption(
          "The instance file %s has %s '%s', which is not a number",
          name, key, properties.getProperty(key));
    }
  }
}
