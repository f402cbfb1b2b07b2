package dev.kudu4j.itest.support;

/** The servers of a test: ours or the published ones. */
public interface Cluster extends AutoCloseable {
  /** The masters' addresses, for clients. */
  String masters();

  int tabletServerCount();

  /** The number of replicas of a table of the client suite in this cluster. */
  int replicaCount();

  /** Whether these are Apache Kudu's own servers: for cases in which ours differ on purpose. */
  boolean isPublished();

  /** The only master, or the first. */
  Daemon master();

  /** The only tablet server, or the first. */
  Daemon tabletServer();

  /** Waits until a master leads and knows every tablet server. */
  void awaitTabletServers();

  /** Flushes memory to data files, if the servers support it on request. */
  void flush();

  @Override
  void close();
}
