package dev.kudu4j.server.process;

/** The release that this is. */
public final class ServerVersion {
  private ServerVersion() {}

  /** As built; a development build says so. */
  public static String current() {
    String built = ServerVersion.class.getPackage().getImplementationVersion();
    return built == null ? "0.1.0-SNAPSHOT" : built;
  }
}
