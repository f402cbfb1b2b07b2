package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes.ColumnTypeAttributesBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ArrowScanner;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduCondition;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduExpression;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.client.KuduScanToken;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Arrow scans with conditions have the same rows on servers that evaluate the conditions and on
 * Apache Kudu's, where the client does.
 */
class ArrowConditionsIT {
  private static final int ROWS = 3000;
  private static final List<String> COLUMNS = List.of("id", "price", "open", "weight");

  @TempDir private Path directory;

  @Test
  void ourServersEvaluateConditions() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      verify(cluster.masterAddresses());
    }
  }

  @Test
  void ourClientEvaluatesConditionsForPublishedServers() throws Exception {
    try (PublishedCluster cluster = new PublishedCluster(directory).start()) {
      verify(cluster.masters());
    }
  }

  private static void verify(String masters) throws Exception {
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build();
        BufferAllocator allocator = new RootAllocator()) {
      Items items = new Items(client, allocator);
      items.load();
      items.verifyConditions();
      items.verifySample();
      items.verifyOtherReads();
      assertThat(allocator.getAllocatedMemory()).isZero();
    }
  }

  private record Items(KuduClient client, BufferAllocator allocator, KuduTable table) {
    Items(KuduClient client, BufferAllocator allocator) throws KuduException {
      this(client, allocator, create(client));
    }

    private static KuduTable create(KuduClient client) throws KuduException {
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                  new ColumnSchemaBuilder("price", Type.DECIMAL)
                      .typeAttributes(
                          new ColumnTypeAttributesBuilder().precision(9).scale(2).build())
                      .nullable(true)
                      .build(),
                  new ColumnSchemaBuilder("open", Type.BOOL).build(),
                  new ColumnSchemaBuilder("weight", Type.DOUBLE).build(),
                  new ColumnSchemaBuilder("note", Type.STRING).nullable(true).build(),
                  new ColumnSchemaBuilder("stock", Type.INT32).build(),
                  new ColumnSchemaBuilder("sold", Type.INT32).build()));
      return client.createTable(
          "items",
          schema,
          new CreateTableOptions().addHashPartitions(List.of("id"), 3).setNumReplicas(1));
    }

    void load() throws KuduException {
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (long id = 0; id < ROWS; id++) {
        Operation insert = table.newInsert();
        insert.getRow().addLong("id", id);
        if (id % 5 != 0) {
          insert.getRow().addDecimal("price", price(id));
        }
        insert.getRow().addBoolean("open", id % 3 == 0);
        insert.getRow().addDouble("weight", id / 8.0);
        if (id % 4 != 0) {
          insert.getRow().addString("note", note(id));
        }
        insert.getRow().addInt("stock", (int) (id % 10));
        insert.getRow().addInt("sold", (int) (id % 7));
        session.apply(insert);
      }
      session.close();
      assertThat(session.getPendingErrors().getRowErrors()).isEmpty();
    }

    private static BigDecimal price(long id) {
      return BigDecimal.valueOf(id * 37 - 4000, 2);
    }

    private static String note(long id) {
      return (id % 6 == 1 ? "late, " : "") + "item " + id % 100;
    }

    private ColumnSchema column(String name) {
      return table.getSchema().getColumn(name);
    }

    private KuduScanner.KuduScannerBuilder scan(KuduCondition condition) {
      return client
          .newScannerBuilder(table)
          .setProjectedColumnNames(COLUMNS)
          .addCondition(condition);
    }

    private KuduCondition late() {
      return KuduCondition.like(column("note"), "late%");
    }

    private KuduCondition soldOut() {
      return KuduCondition.compare(column("sold"), ComparisonOp.GREATER, column("stock"));
    }

    private static boolean isLate(long id) {
      return id % 4 != 0 && id % 6 == 1;
    }

    private static boolean isSoldOut(long id) {
      return id % 7 > id % 10;
    }

    void verifyConditions() throws KuduException {
      verify(late(), Items::isLate);
      verify(late().not(), id -> id % 4 != 0 && !isLate(id));
      verify(KuduCondition.or(late(), soldOut()), id -> isLate(id) || isSoldOut(id));
      KuduCondition cheap =
          KuduExpression.column(column("price"))
              .plus(KuduExpression.column(column("stock")))
              .compare(ComparisonOp.LESS, KuduExpression.literal("10.5"));
      LongPredicate isCheap =
          id ->
              id % 5 != 0
                  && price(id).add(BigDecimal.valueOf(id % 10)).compareTo(new BigDecimal("10.5"))
                      < 0;
      verify(cheap, isCheap);
      verify(
          KuduCondition.and(cheap, KuduCondition.or(late(), soldOut().not())),
          id -> isCheap.test(id) && (isLate(id) || !isSoldOut(id)));
      verify(
          KuduPredicate.newComparisonPredicate(column("open"), ComparisonOp.EQUAL, true)
              .asCondition()
              .not(),
          id -> id % 3 != 0);
      verify(KuduCondition.like(column("note"), "no item"), id -> false);
    }

    void verifySample() throws KuduException {
      KuduCondition tenth = KuduCondition.sample(table.getSchema(), 0.1, 7);
      TreeSet<Long> ids = new TreeSet<>();
      for (RowResult row : scan(tenth).build()) {
        ids.add(row.getLong("id"));
      }
      assertThat(ids).hasSizeBetween(ROWS / 20, ROWS / 5);
      verify(tenth, ids::contains);
      verify(KuduCondition.or(tenth, late()), id -> ids.contains(id) || isLate(id));
    }

    /** Reads the rows in all ways, and compares each cell with what it should be. */
    private void verify(KuduCondition condition, LongPredicate matches) throws KuduException {
      List<String> expected = new ArrayList<>();
      for (long id = 0; id < ROWS; id++) {
        if (matches.test(id)) {
          expected.add(text(id, id % 5 == 0 ? null : price(id), id % 3 == 0, id / 8.0));
        }
      }
      try (ArrowScanner scanner = ArrowScanner.open(scan(condition), allocator)) {
        assertThat(rows(scanner, false)).containsExactlyInAnyOrderElementsOf(expected);
      }
      try (ArrowScanner scanner = ArrowScanner.openAsReceived(scan(condition), allocator)) {
        assertThat(rows(scanner, true)).containsExactlyInAnyOrderElementsOf(expected);
      }
      List<String> parallel = new ArrayList<>();
      client
          .newScanTokenBuilder(table)
          .setProjectedColumnNames(COLUMNS)
          .addCondition(condition)
          .parallelArrow(allocator)
          .forEachBatch(
              batch -> {
                try (batch) {
                  add(batch, false, parallel);
                }
              });
      assertThat(parallel).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String text(long id, BigDecimal price, boolean open, double weight) {
      return id + " " + price + " " + open + " " + weight;
    }

    private static List<String> rows(ArrowScanner scanner, boolean asReceived)
        throws KuduException {
      List<String> rows = new ArrayList<>();
      while (scanner.hasMoreBatches()) {
        try (VectorSchemaRoot batch = scanner.nextBatch()) {
          add(batch, asReceived, rows);
        }
      }
      return rows;
    }

    private static void add(VectorSchemaRoot batch, boolean asReceived, List<String> rows) {
      assertThat(batch.getSchema().getFields()).hasSize(COLUMNS.size());
      for (int row = 0; row < batch.getRowCount(); row++) {
        Object price = batch.getVector("price").getObject(row);
        Object open = batch.getVector("open").getObject(row);
        rows.add(
            text(
                (long) batch.getVector("id").getObject(row),
                asReceived && price != null
                    ? BigDecimal.valueOf((int) price, 2)
                    : (BigDecimal) price,
                asReceived ? ((Number) open).intValue() == 1 : (boolean) open,
                (double) batch.getVector("weight").getObject(row)));
      }
    }

    void verifyOtherReads() throws Exception {
      try (ArrowScanner limited = ArrowScanner.open(scan(soldOut()).limit(10), allocator)) {
        assertThat(rows(limited, false)).hasSize(10);
      }
      long count = 0;
      try (ArrowScanner counted =
          ArrowScanner.open(scan(late()).setProjectedColumnNames(List.of()), allocator)) {
        while (counted.hasMoreBatches()) {
          try (VectorSchemaRoot batch = counted.nextBatch()) {
            count += batch.getRowCount();
          }
        }
      }
      assertThat(count)
          .isEqualTo(java.util.stream.LongStream.range(0, ROWS).filter(Items::isLate).count());
      TreeSet<Long> ids = new TreeSet<>();
      for (KuduScanToken token :
          client
              .newScanTokenBuilder(table)
              .setProjectedColumnNames(COLUMNS)
              .addCondition(late())
              .build()) {
        byte[] sent = token.serialize();
        try (ArrowScanner scanner =
            KuduScanToken.deserializeIntoScanner(sent, client).arrow(allocator)) {
          rows(scanner, false).forEach(row -> ids.add(Long.parseLong(row.split(" ")[0])));
        }
      }
      assertThat(ids).allMatch(Items::isLate).hasSize((int) count);
      try (ArrowScanner first =
          ArrowScanner.openAsReceived(
              scan(KuduCondition.or(late(), soldOut())).orderBy("id", false).limit(5), allocator)) {
        List<Long> found =
            rows(first, true).stream().map(row -> Long.parseLong(row.split(" ")[0])).toList();
        List<Long> last = new ArrayList<>();
        for (long id = ROWS - 1; last.size() < 5; id--) {
          if (isLate(id) || isSoldOut(id)) {
            last.add(id);
          }
        }
        assertThat(found).containsAll(last).allMatch(id -> isLate(id) || isSoldOut(id));
      }
      try (ArrowScanner closed = ArrowScanner.open(scan(late()).prefetching(true), allocator)) {
        closed.nextBatch().close(); // the next batch is dropped
      }
    }
  }
}
