package dev.kudu4j.master.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.masters.CatalogMemberPB;
import dev.kudu4j.common.proto.masters.IntroduceResponsePB;
import dev.kudu4j.common.status.KuduException;
import org.junit.jupiter.api.Test;

class PeerDiscoveryTest {
  private static final ByteString UUID = ByteString.copyFromUtf8("a".repeat(32));

  private static IntroduceResponsePB.Builder answer() {
    return IntroduceResponsePB.newBuilder().setUuid(UUID).setRaftAddress(address("127.0.0.1", 7));
  }

  private static HostPortPB address(String host, int port) {
    return HostPortPB.newBuilder().setHost(host).setPort(port).build();
  }

  private static void assertRefused(IntroduceResponsePB.Builder answer, String reason) {
    assertThatThrownBy(() -> PeerDiscovery.checked(answer.build()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void responsesWithInvalidServersAreRejected() {
    assertThat(PeerDiscovery.checked(answer().build())).isEqualTo(answer().build());
    assertRefused(answer().setUuid(ByteString.copyFromUtf8("../../x")), "uuid");
    assertRefused(answer().setRaftAddress(address("", 7)), "raft_address");
    assertRefused(answer().setRaftAddress(address("h", 99_999)), "raft_address");
    assertRefused(
        answer()
            .addMembers(CatalogMemberPB.newBuilder().setUuid(UUID).setRaftAddress(address("h", 0))),
        "raft_address");
    assertRefused(answer().addFoundUuids(ByteString.EMPTY), "found_uuids");
    IntroduceResponsePB.Builder many = answer();
    for (int i = 0; i < 33; i++) {
      many.addFoundUuids(UUID);
    }
    assertRefused(many, "33 masters");
  }
}
