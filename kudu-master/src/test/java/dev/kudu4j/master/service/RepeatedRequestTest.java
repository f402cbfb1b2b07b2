package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.CreateTableRequestPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.GetTableSchemaRequestPB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A client whose response was lost repeats its request, possibly to another master: nothing is done
 * twice, and the client gets the response of its own request.
 */
class RepeatedRequestTest {
  private final FakeCluster cluster = new FakeCluster(1, 11);

  private static ByteString key(int number) {
    return ByteString.copyFromUtf8("request " + number);
  }

  private ByteString create(String name, int key) {
    CreateTableRequestPB request = Requests.create(name, 1, 2).setRequestKey(key(key)).build();
    return cluster.tables.createTable(request, "alice").getTableId();
  }

  private ByteString alter(AlterTableRequestPB.Builder request, int key) {
    return cluster.tables.alterTable(request.setRequestKey(key(key)).build()).getTableId();
  }

  private int columnCount(String name) {
    return cluster
        .lookups
        .getTableSchema(GetTableSchemaRequestPB.newBuilder().setTable(Requests.named(name)).build())
        .getSchema()
        .getColumnsCount();
  }

  private void failOver() {
    cluster.crashMaster();
    cluster.startMaster();
    cluster.time.pass(5_000);
  }

  @Test
  void aTableIsCreatedOnceAndOtherClientsGetAlreadyPresent() {
    ByteString id = create("t", 1);
    assertThat(create("t", 1)).isEqualTo(id);
    failOver();
    assertThat(create("t", 1)).isEqualTo(id);
    assertThatThrownBy(() -> create("t", 2))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("already exists");
  }

  @Test
  void aRepeatedAlterationIsAppliedOnceAfterARename() {
    ByteString id = create("t", 1);
    cluster.time.pass(1_000);
    int columns = columnCount("t");
    AlterTableRequestPB.Builder alteration =
        Requests.alter("t", Requests.addColumn("more")).setNewTableName("renamed");
    assertThat(alter(alteration, 2)).isEqualTo(id);
    assertThat(alter(alteration, 2)).isEqualTo(id);
    failOver();
    assertThat(alter(alteration, 2)).isEqualTo(id);
    assertThat(columnCount("renamed")).isEqualTo(columns + 1);
    assertThatThrownBy(() -> alter(alteration, 3)).hasMessageContaining("does not exist");
  }

  @Test
  void aRepeatedDropDoesNotDropTheNextTableOfThatName() {
    create("t", 1);
    DeleteTableRequestPB drop = Requests.delete("t").toBuilder().setRequestKey(key(2)).build();
    cluster.tables.deleteTable(drop);
    ByteString next = create("t", 3);
    cluster.tables.deleteTable(drop);
    failOver();
    cluster.tables.deleteTable(drop);
    assertThat(create("t", 3)).isEqualTo(next);
  }

  @Test
  void aRecallIsMadeOnce() {
    ByteString id = create("t", 1);
    cluster.time.pass(1_000);
    cluster.tables.deleteTable(Requests.deleteSoftly("t", 100));
    RecallDeletedTableRequestPB recall =
        RecallDeletedTableRequestPB.newBuilder()
            .setTable(Requests.withId(id))
            .setRequestKey(key(2))
            .build();
    cluster.tables.recallDeletedTable(recall);
    cluster.tables.recallDeletedTable(recall);
    assertThat(columnCount("t")).isPositive();
  }

  @Test
  void onlyTheLastRequestsOfATableAreRemembered() {
    create("t", 0);
    List<AlterTableRequestPB.Builder> renames = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      renames.add(Requests.alter(i == 0 ? "t" : "t" + i).setNewTableName("t" + (i + 1)));
      alter(renames.get(i), 1 + i);
    }
    alter(renames.get(19), 20);
    assertThatThrownBy(() -> alter(renames.get(5), 6)).hasMessageContaining("does not exist");
  }
}
