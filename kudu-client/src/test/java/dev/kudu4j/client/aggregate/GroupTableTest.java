package dev.kudu4j.client.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.scan.CellLayout;
import dev.kudu4j.client.scan.ColumnarRows;
import dev.kudu4j.client.scan.ColumnarRowsBuilder;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Expression;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GroupTableTest {
  private static final ColumnSchema NAME =
      ColumnSchema.builder("name", DataType.STRING).nullable(true).build();
  private static final ColumnSchema NUMBER =
      ColumnSchema.builder("n", DataType.INT64).nullable(true).build();

  private static AggregatePlan plan() {
    Expression number = Expression.column(NUMBER);
    return new AggregatePlan(
        List.of(NAME),
        List.of(
            new AggregatePlan.Named("rows", Aggregate.count()),
            new AggregatePlan.Named("mean", Aggregate.avg(number)),
            new AggregatePlan.Named("total", Aggregate.sum(number)),
            new AggregatePlan.Named("least", Aggregate.min(number))));
  }

  /** Random rows with the plan's columns and up to {@code names} different names. */
  private static ColumnarRows rows(AggregatePlan plan, Random random, int count, int names) {
    CellLayout layout = new CellLayout(plan.sent().columns());
    ColumnarRowsBuilder rows = new ColumnarRowsBuilder(layout);
    for (int i = 0; i < count; i++) {
      int name = random.nextInt(names + 1);
      rows.set(0, name == 0 ? null : ("name " + name).getBytes(StandardCharsets.UTF_8));
      byte[] cell = new byte[8];
      LittleEndian.putLong(cell, 0, random.nextInt(1000));
      rows.set(1, random.nextInt(5) == 0 ? null : cell);
      rows.endRow();
    }
    return rows.build();
  }

  private static void add(ColumnarRows rows, GroupTable table, AggregatePlan plan) {
    new LocalRows(plan.sent(), null).addTo(table, rows);
  }

  private static Map<String, String> texts(GroupTable groups, AggregatePlan plan) {
    Map<String, String> texts = new TreeMap<>();
    for (Group group : groups.groups()) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < plan.layout().columnCount(); i++) {
        byte[] cell = plan.cell(group, i);
        cells.add(cell == null ? "null" : new String(cell, StandardCharsets.ISO_8859_1));
      }
      texts.put(cells.get(0), cells.toString());
    }
    return texts;
  }

  @Test
  void mergedPartsEqualTheWholeGroups() {
    AggregatePlan plan = plan();
    GroupTable whole = new GroupTable(plan.sent());
    GroupTable merged = new GroupTable(plan.sent());
    Random random = new Random(3);
    for (int part = 0; part < 5; part++) {
      ColumnarRows rows = rows(plan, random, 400, 300);
      add(rows, whole, plan);
      GroupTable some = new GroupTable(plan.sent());
      add(rows, some, plan);
      merged.addGroups(some);
    }
    assertThat(whole.groups().size()).isGreaterThan(250);
    assertThat(texts(merged, plan)).isEqualTo(texts(whole, plan));
  }

  @Test
  void theFirstGroupsAreThoseOfTheCompleteOrder() {
    AggregatePlan plan = plan();
    GroupTable table = new GroupTable(plan.sent());
    add(rows(plan, new Random(4), 2000, 200), table, plan);
    GroupOrder order =
        new GroupOrder(List.of(new GroupOrder.Column(1, false), new GroupOrder.Column(0, true)));
    List<Group> all = order.first(table.groups(), plan, Long.MAX_VALUE);
    assertThat(order.first(table.groups(), plan, 7)).isEqualTo(all.subList(0, 7));
    GroupOrder byName = new GroupOrder(List.of(new GroupOrder.Column(0, true)));
    assertThat(plan.cell(byName.first(table.groups(), plan, 1).get(0), 0))
        .as("NULL is first")
        .isNull();
  }

  @Test
  void withoutGroupingColumnsThereIsOneRow() {
    AggregatePlan plan =
        new AggregatePlan(
            List.of(),
            List.of(
                new AggregatePlan.Named("rows", Aggregate.count()),
                new AggregatePlan.Named("total", Aggregate.sum(Expression.column(NUMBER)))));
    GroupTable empty = new GroupTable(plan.sent());
    ColumnarRows rows = plan.rows(empty.groups());
    assertThat(rows.count()).isEqualTo(1);
    assertThat(rows.cell(plan.layout(), 0, 0)).isEqualTo(new byte[8]);
    assertThat(rows.cell(plan.layout(), 1, 0)).isNull();
  }

  @Test
  void sumsBeyond64BitsFail() {
    AggregatePlan plan = plan();
    GroupTable table = new GroupTable(plan.sent());
    ColumnarRowsBuilder rows = new ColumnarRowsBuilder(new CellLayout(plan.sent().columns()));
    for (int i = 0; i < 2; i++) {
      byte[] cell = new byte[8];
      LittleEndian.putLong(cell, 0, Long.MAX_VALUE);
      rows.set(0, null);
      rows.set(1, cell);
      rows.endRow();
    }
    add(rows.build(), table, plan);
    assertThatThrownBy(() -> plan.rows(table.groups()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("total is 18446744073709551614, which does not fit into 64 bits");
  }

  @Test
  void resultNamesMustBeUnique() {
    Aggregate count = Aggregate.count();
    assertThatThrownBy(
            () -> new AggregatePlan(List.of(NAME), List.of(new AggregatePlan.Named("name", count))))
        .hasMessageContaining("Duplicate column name: name");
    assertThatThrownBy(() -> new AggregatePlan(List.of(), List.of()))
        .hasMessageContaining("a grouping column or an aggregate");
  }
}
