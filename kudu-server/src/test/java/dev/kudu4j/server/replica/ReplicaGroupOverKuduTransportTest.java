package dev.kudu4j.server.replica;

/** All that groups must do, over the transport of our own. */
class ReplicaGroupOverKuduTransportTest extends ReplicaGroupTest {
  @Override
  RaftTransportKind transport() {
    return RaftTransportKind.KUDU;
  }
}
