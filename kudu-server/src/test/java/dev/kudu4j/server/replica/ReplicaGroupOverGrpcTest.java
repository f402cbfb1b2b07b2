package dev.kudu4j.server.replica;

import org.junit.jupiter.api.Tag;

/** All that groups must do, over the transport that Ratis brings. */
@Tag("nightly")
class ReplicaGroupOverGrpcTest extends ReplicaGroupTest {
  @Override
  RaftTransportKind transport() {
    return RaftTransportKind.GRPC;
  }
}
