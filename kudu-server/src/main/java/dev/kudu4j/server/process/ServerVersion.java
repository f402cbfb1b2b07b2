package dev.kudu4j.server.process;

/** The version of this release. */
public final class ServerVersion {
  private ServerVersion() {}

  /** The version of the build; a snapshot version if the build has none. */
  public static String current() {
    String built = ServerVersion.class.getPackage().getImplementationVersion();
    return built == null ? "0.1.0-SNAPSHOT" : built;
  }
}
