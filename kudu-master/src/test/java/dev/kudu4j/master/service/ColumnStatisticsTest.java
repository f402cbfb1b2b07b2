package dev.kudu4j.master.service;

import static j2html.TagCreator.each;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.proto.master.DeleteTableRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsRequestPB;
import dev.kudu4j.common.proto.master.GetTableStatisticsResponsePB;
import dev.kudu4j.common.proto.master.RecallDeletedTableRequestPB;
import dev.kudu4j.common.proto.master.SetColumnStatisticsRequestPB;
import dev.kudu4j.master.catalog.Ids;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.pages.MasterPages;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.WebPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statistics of columns in the record of a table. */
class ColumnStatisticsTest {
  private static final long MICROS = 1_795_284_570_000_000L; // 2026-11-21 18:09:30 UTC

  private final FakeCluster cluster = new FakeCluster(1, 11);
  private int id;
  private int v;

  @BeforeEach
  void create() {
    cluster.tables.createTable(Requests.create("t", 1, 2).build(), "alice");
    cluster.time.pass(10_000);
    id = table().entry().getSchema().getColumns(0).getId();
    v = table().entry().getSchema().getColumns(1).getId();
  }

  private TableInfo table() {
    return cluster.leadership.session().catalog().tableByName("t");
  }

  private static ColumnStatisticsPB.Builder statistics(int column, long distinct) {
    return ColumnStatisticsPB.newBuilder()
        .setColumnId(column)
        .setAnalyzedMicros(MICROS)
        .setRowCount(1000)
        .setNullCount(7)
        .setDistinctCount(distinct);
  }

  private static ByteString int32(int value) {
    return ByteString.copyFrom(new byte[] {(byte) value, 0, 0, 0});
  }

  private void set(String table, ColumnStatisticsPB.Builder... columns) {
    SetColumnStatisticsRequestPB.Builder request =
        SetColumnStatisticsRequestPB.newBuilder().setTable(Requests.named(table));
    for (ColumnStatisticsPB.Builder column : columns) {
      request.addColumns(column);
    }
    cluster.tables.setColumnStatistics(request.build());
  }

  private GetTableStatisticsResponsePB answer(String table, boolean withColumns) {
    return cluster.lookups.getTableStatistics(
        GetTableStatisticsRequestPB.newBuilder()
            .setTable(Requests.named(table))
            .setWithColumns(withColumns)
            .build());
  }

  private List<ColumnStatisticsPB> known(String table) {
    return answer(table, true).getColumnsList();
  }

  @Test
  void areStoredAndReturnedOnRequest() {
    ColumnStatisticsPB.Builder key = statistics(id, 1000).setMin(int32(1)).setMax(int32(100));
    set("t", statistics(v, 5));
    set("t", key);
    assertThat(known("t")).containsExactly(key.build(), statistics(v, 5).build());
    set("t", statistics(v, 6));
    assertThat(known("t")).as("the later replaces").contains(statistics(v, 6).build()).hasSize(2);
    assertThat(answer("t", true).getSchema()).isEqualTo(table().entry().getSchema());
    assertThat(answer("t", false).getColumnsList()).as("published clients").isEmpty();
    assertThat(answer("t", false).hasSchema()).isFalse();
  }

  @Test
  void surviveTheMasterRenamingAndRecalling() {
    set("t", statistics(v, 5));
    cluster.startMaster();
    cluster.time.pass(10_000);
    assertThat(known("t")).hasSize(1);
    cluster.tables.alterTable(Requests.alter("t").setNewTableName("u").build());
    cluster.time.pass(10_000);
    assertThat(known("u")).containsExactly(statistics(v, 5).build());
    cluster.tables.deleteTable(
        DeleteTableRequestPB.newBuilder()
            .setTable(Requests.named("u"))
            .setReserveSeconds(600)
            .build());
    String tableId =
        cluster.leadership.session().catalog().tables().stream().findFirst().orElseThrow().id();
    cluster.tables.recallDeletedTable(
        RecallDeletedTableRequestPB.newBuilder()
            .setTable(Requests.withId(Ids.toWire(tableId)))
            .build());
    assertThat(known("u")).containsExactly(statistics(v, 5).build());
  }

  @Test
  void belongToTheColumnAndSurviveItsRename() {
    set("t", statistics(id, 1000), statistics(v, 5));
    int version = table().schemaVersion();
    cluster.tables.alterTable(Requests.alter("t", Requests.renameColumn("v", "w")).build());
    cluster.time.pass(10_000);
    assertThat(table().schemaVersion()).as("only the renaming").isEqualTo(version + 1);
    assertThat(known("t")).contains(statistics(v, 5).build());
    cluster.tables.alterTable(Requests.alter("t", Requests.dropColumn("w")).build());
    cluster.time.pass(10_000);
    cluster.tables.alterTable(Requests.alter("t", Requests.addColumn("w")).build());
    cluster.time.pass(10_000);
    assertThat(known("t")).containsExactly(statistics(id, 1000).build());
    set("t", statistics(v, 5));
    assertThat(known("t")).as("of the dropped column").hasSize(1);
  }

  @Test
  void areChecked() {
    assertThatThrownBy(() -> set("t", statistics(v, -1)))
        .hasMessageContaining("Statistics of column v are invalid")
        .hasMessageContaining("distinct_count -1");
    assertThatThrownBy(() -> set("t", statistics(v, 1).setNullCount(1001)))
        .hasMessageContaining("null_count 1001");
    assertThatThrownBy(() -> set("t", statistics(v, 1).setMin(ByteString.copyFrom(new byte[9]))))
        .hasMessageContaining("have a min of 9 bytes");
    assertThatThrownBy(() -> set("none", statistics(v, 1))).hasMessageContaining("none");
    assertThat(known("t")).isEmpty();
  }

  @Test
  void areOnThePageOfTheTable() {
    assertThat(page(false)).doesNotContain("Column statistics");
    set("t", statistics(id, 987).setMin(int32(61)).setMax(int32(99)));
    assertThat(page(false)).contains("Column statistics", "987", ">61<", ">99<", "2026-11-21");
    assertThat(page(true)).contains("987").doesNotContain(">61<", ">99<");
  }

  private String page(boolean redacted) {
    MasterPages pages =
        new MasterPages(cluster.leadership, cluster.registered, new FakeMasters(), () -> redacted);
    for (WebPage page : pages.pages()) {
      if (page.path().equals("/table") && page instanceof WebPage.Html html) {
        Query query = new Query(Map.of("id", List.of(table().id())));
        return each(html.answer().apply(query).body().stream()).render();
      }
    }
    throw new AssertionError("There is no page of a table");
  }
}
