package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.UnsafeChangeConfigResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Recovers a tablet that has permanently lost the majority of its replicas. */
@Command(
    name = "unsafe_change_config",
    description = {
      "For a tablet that has permanently lost the majority of its replicas: sets"
          + " its voters to this",
      "replica and the other given ones, whatever its members were. Acknowledged"
          + " writes that are not on",
      "this replica are lost. The servers that are left out must",
      "not return with their data."
    },
    footer = {
      " kudu cluster ksck                 (UNAVAILABLE tablets, and the replicas that still run)",
      "  kudu remote_replica unsafe_change_config 127.0.0.1:7050 TABLET UUID"
    })
final class UnsafeChangeConfigVerb extends RemoteReplicaVerbs.OfReplica {
  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "UUID",
      description = "Servers whose replicas are kept, including that of TSERVER.")
  private List<String> voters;

  @Override
  public Integer call() {
    try (ClusterCalls calls = cluster().withoutMasters()) {
      ClusterCalls.get(
          calls.call(
              address(),
              ClusterSurvey.CONSENSUS,
              "UnsafeChangeConfig",
              UnsafeChangeConfigRequestPB.newBuilder()
                  .setDestUuid(RemoteReplicaVerbs.uuid(calls, address()))
                  .setTabletId(ByteString.copyFromUtf8(tablet()))
                  .setCallerId(ByteString.copyFromUtf8("kudu remote_replica unsafe_change_config"))
                  .setNewConfig(config())
                  .build(),
              UnsafeChangeConfigResponsePB.parser()));
    }
    say(
        "Tablet "
            + tablet()
            + " now has the voters "
            + String.join(", ", voters)
            + "; the master adds missing replicas");
    return DONE;
  }

  private RaftConfigPB config() {
    RaftConfigPB.Builder config = RaftConfigPB.newBuilder();
    for (String voter : voters) {
      config.addPeers(
          RaftPeerPB.newBuilder()
              .setPermanentUuid(ByteString.copyFromUtf8(voter))
              .setMemberType(RaftPeerPB.MemberType.VOTER));
    }
    return config.build();
  }
}
