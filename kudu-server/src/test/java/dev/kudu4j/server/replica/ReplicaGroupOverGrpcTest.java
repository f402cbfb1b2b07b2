package dev.kudu4j.server.replica;

import dev.kudu4j.server.raft.RaftTransportKind;
import org.junit.jupiter.api.Tag;

/** All tests of groups, over Ratis' own gRPC transport. */
@Tag("nightly")
class ReplicaGroupOverGrpcTest extends ReplicaGroupTest {
  @Override
  RaftTransportKind transport() {
    return RaftTransportKind.GRPC;
  }
}
