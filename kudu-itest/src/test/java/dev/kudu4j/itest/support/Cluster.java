package dev.kudu4j.itest.support;

/** Servers that a test may talk to, whoever wrote them. */
public interface Cluster extends AutoCloseable {
  /** What a client is given. */
  String masters();

  int tabletServerCount();

  /** How many replicas a table of the client suite has here. */
  int replicaCount();

  /** Whether these are Apache Kudu's own servers: asked by a case where ours differ on purpose. */
  boolean isPublished();

  /** The only master, or the first. */
  Daemon master();

  /** The only tablet server, or the first. */
  Daemon tabletServer();

  /** Waits until a master leads and knows every tablet server. */
  void awaitTabletServers();

  /** Makes what is in memory durable as data files, where the servers can be asked for it. */
  void flush();

  @Override
  void close();
}
