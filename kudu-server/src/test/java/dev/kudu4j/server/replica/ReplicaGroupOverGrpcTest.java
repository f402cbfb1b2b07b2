package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftTransportKind;
import org.junit.jupiter.api.Tag;

/** All that groups must do, over the transport that Ratis brings. */
@Tag("nightly")
class ReplicaGroupOverGrpcTest extends ReplicaGroupTest {
  @Override
  RaftTransportKind transport() {
    return RaftTransportKind.GRPC;
  }
}
