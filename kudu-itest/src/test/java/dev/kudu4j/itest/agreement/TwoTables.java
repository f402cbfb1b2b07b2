package dev.kudu4j.itest.agreement;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** One table, opened by our client and by Apache Kudu's. */
final class TwoTables {
  private final KuduClient ours;
  private final org.apache.kudu.client.KuduClient published;
  private final KuduTable ourTable;
  private final org.apache.kudu.client.KuduTable publishedTable;

  TwoTables(KuduClient ours, org.apache.kudu.client.KuduClient published, String name)
      throws IOException {
    this.ours = ours;
    this.published = published;
    this.ourTable = ours.openTable(name);
    this.publishedTable = published.openTable(name);
  }

  KuduTable ourTable() {
    return ourTable;
  }

  org.apache.kudu.client.KuduTable publishedTable() {
    return publishedTable;
  }

  /** A condition, in the types of both clients. */
  record Condition(
      KuduPredicate ours, org.apache.kudu.client.KuduPredicate published, String text) {}

  /** A random condition on a random column. */
  Condition condition(Random random) {
    List<ColumnSchema> columns = ourTable.getSchema().getColumns();
    ColumnSchema column = columns.get(random.nextInt(columns.size()));
    org.apache.kudu.ColumnSchema same = publishedTable.getSchema().getColumn(column.getName());
    int kind = random.nextInt(10);
    if (kind == 0) {
      return new Condition(
          KuduPredicate.newIsNotNullPredicate(column),
          org.apache.kudu.client.KuduPredicate.newIsNotNullPredicate(same),
          column.getName() + " is not null");
    }
    if (kind < 4 && Values.mayBeListed(column)) {
      List<Object> values = new ArrayList<>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        values.add(Values.of(column, random));
      }
      return new Condition(
          KuduPredicate.newInListPredicate(column, values),
          org.apache.kudu.client.KuduPredicate.newInListPredicate(same, values),
          column.getName() + " in " + values.stream().map(Values::text).toList());
    }
    KuduPredicate.ComparisonOp[] ops = KuduPredicate.ComparisonOp.values();
    KuduPredicate.ComparisonOp op = ops[random.nextInt(ops.length)];
    Object value = Values.of(column, random);
    return new Condition(
        KuduPredicate.newComparisonPredicate(column, op, value),
        org.apache.kudu.client.KuduPredicate.newComparisonPredicate(
            same, org.apache.kudu.client.KuduPredicate.ComparisonOp.valueOf(op.name()), value),
        column.getName() + " " + op + " " + Values.text(value));
  }

  List<KuduScanToken> ourTokens(List<Condition> conditions, boolean described) {
    KuduScanToken.KuduScanTokenBuilder builder =
        ours.newScanTokenBuilder(ourTable)
            .includeTableMetadata(described)
            .includeTabletMetadata(described);
    conditions.forEach(condition -> builder.addPredicate(condition.ours()));
    return builder.build();
  }

  List<org.apache.kudu.client.KuduScanToken> publishedTokens(
      List<Condition> conditions, boolean described) {
    org.apache.kudu.client.KuduScanToken.KuduScanTokenBuilder builder =
        published
            .newScanTokenBuilder(publishedTable)
            .includeTableMetadata(described)
            .includeTabletMetadata(described);
    conditions.forEach(condition -> builder.addPredicate(condition.published()));
    return builder.build();
  }

  /** The rows that the published client reads with our tokens, in order. */
  List<String> readByPublished(List<KuduScanToken> tokens) throws IOException {
    List<String> rows = new ArrayList<>();
    for (KuduScanToken token : tokens) {
      for (org.apache.kudu.client.RowResult row :
          org.apache.kudu.client.KuduScanToken.deserializeIntoScanner(
              token.serialize(), published)) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
          cells.add(Values.text(row.isNull(i) ? null : row.getObject(i)));
        }
        rows.add(String.join(" ", cells));
      }
    }
    Collections.sort(rows);
    return rows;
  }

  /** The rows that our client reads with the published client's tokens, in order. */
  List<String> readByOurs(List<org.apache.kudu.client.KuduScanToken> tokens) throws IOException {
    List<String> rows = new ArrayList<>();
    for (org.apache.kudu.client.KuduScanToken token : tokens) {
      for (RowResult row : KuduScanToken.deserializeIntoScanner(token.serialize(), ours)) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.getSchema().getColumnCount(); i++) {
          cells.add(Values.text(row.isNull(i) ? null : row.getObject(i)));
        }
        rows.add(String.join(" ", cells));
      }
    }
    Collections.sort(rows);
    return rows;
  }

  /** Fills two rows with the same random cells. */
  void fill(PartialRow row, org.apache.kudu.client.PartialRow same, Random random) {
    for (ColumnSchema column : ourTable.getSchema().getColumns()) {
      if (column.isNullable() && random.nextInt(3) == 0) {
        row.setNull(column.getName());
        same.setNull(column.getName());
      } else if (column.isNullable()) {
        put(row, same, column.getName(), column.getType().getName().equals("string") ? "x" : 1);
      } else {
        put(row, same, column.getName(), Values.of(column, random));
      }
    }
  }

  private static void put(
      PartialRow row, org.apache.kudu.client.PartialRow same, String column, Object value) {
    row.addObject(column, value);
    same.addObject(column, value);
  }
}
