package dev.kudu4j.tools.server;

import dev.kudu4j.server.flags.HostPort;
import java.net.InetSocketAddress;
import picocli.CommandLine.Model.CommandSpec;

/** A master or a tablet server. */
enum ServerKind {
  MASTER("master", "master", 7051),
  TABLET_SERVER("tserver", "tablet server", 7050);

  private final String mode;
  private final String words;
  private final int defaultPort;

  ServerKind(String mode, String words, int defaultPort) {
    this.mode = mode;
    this.words = words;
    this.defaultPort = defaultPort;
  }

  /**
   * The kind of server that the verb's parent is for: {@code kudu master} or {@code kudu tserver}.
   */
  static ServerKind of(CommandSpec verb) {
    for (CommandSpec spec = verb; spec != null; spec = spec.parent()) {
      for (ServerKind kind : values()) {
        if (spec.name().equals(kind.mode)) {
          return kind;
        }
      }
    }
    throw new IllegalStateException(
        verb.qualifiedName() + " is under neither kudu master nor kudu tserver");
  }

  /** The word on the command line. */
  String mode() {
    return mode;
  }

  InetSocketAddress address(String text) {
    HostPort address = HostPort.parse(text, defaultPort);
    return InetSocketAddress.createUnresolved(address.host(), address.port());
  }

  @Override
  public String toString() {
    return words;
  }
}
