package dev.kudu4j.itest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduAggregate;
import dev.kudu4j.client.KuduAggregateBuilder;
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
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.itest.support.PublishedCluster;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random conditions, aggregations and orders give the answers of plain Java, whether our servers
 * compute them or, for Apache Kudu's servers, our client.
 */
class QueriesIT {
  private static final int ROWS = 3000;
  private static final int QUERIES = Integer.getInteger("queries.count", 150);
  private static final String[] REGIONS = {"north", "south", "süd-ost", "west"};
  private static final String[] NOTES = {"", "late", "late again", "lost_in%transit", "ünlü", "a"};

  @TempDir private Path directory;

  @Test
  void ourServersComputeQueries() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder().tabletServers(1).start()) {
      verify(cluster.masterAddresses());
    }
  }

  @Test
  void ourClientComputesQueriesForPublishedServers() throws Exception {
    try (PublishedCluster cluster = new PublishedCluster(directory).start()) {
      verify(cluster.masters());
    }
  }

  private static void verify(String masters) throws Exception {
    long seed = Long.getLong("queries.seed", new Random().nextLong());
    try (KuduClient client = new KuduClient.KuduClientBuilder(masters).build()) {
      Orders orders = new Orders(client, new Random(seed));
      orders.load();
      for (int i = 0; i < QUERIES; i++) {
        orders.verifyScan("scan " + i + " of seed " + seed);
        orders.verifyAggregate("aggregate " + i + " of seed " + seed);
        orders.verifyFirstRows("first rows " + i + " of seed " + seed);
      }
      orders.verifyTop();
    }
  }

  /** A row as it should be. */
  private record Order(
      String region,
      int id,
      Integer quantity,
      BigDecimal price,
      Double weight,
      String note,
      int day,
      boolean open) {}

  /** A condition, and what it means: true, false, or null for unknown. */
  private record Filter(KuduCondition condition, Function<Order, Boolean> meaning) {
    boolean keeps(Order order) {
      return Boolean.TRUE.equals(meaning.apply(order));
    }

    @Override
    public String toString() {
      return condition.toString();
    }
  }

  private static final class Orders {
    private final KuduClient client;
    private final Random random;
    private final Map<List<Object>, Order> model =
        new TreeMap<>((a, b) -> key(a).compareTo(key(b)));
    private KuduTable table;

    Orders(KuduClient client, Random random) {
      this.client = client;
      this.random = random;
    }

    private static String key(List<Object> key) {
      return key.toString();
    }

    // -------------------------------------------------------------- rows

    void load() throws KuduException {
      ColumnTypeAttributes money =
          new ColumnTypeAttributes.ColumnTypeAttributesBuilder().precision(12).scale(2).build();
      Schema schema =
          new Schema(
              List.of(
                  new ColumnSchemaBuilder("region", Type.STRING).key(true).build(),
                  new ColumnSchemaBuilder("id", Type.INT32).key(true).build(),
                  new ColumnSchemaBuilder("quantity", Type.INT32).nullable(true).build(),
                  new ColumnSchemaBuilder("price", Type.DECIMAL)
                      .typeAttributes(money)
                      .nullable(true)
                      .build(),
                  new ColumnSchemaBuilder("weight", Type.DOUBLE).nullable(true).build(),
                  new ColumnSchemaBuilder("note", Type.STRING).nullable(true).build(),
                  new ColumnSchemaBuilder("day", Type.INT32).build(),
                  new ColumnSchemaBuilder("open", Type.BOOL).build()));
      CreateTableOptions options =
          new CreateTableOptions().addHashPartitions(List.of("id"), 3).setNumReplicas(1);
      table = client.createTable("orders", schema, options);
      KuduSession session = client.newSession();
      session.setFlushMode(FlushMode.AUTO_FLUSH_BACKGROUND);
      for (int id = 0; id < ROWS; id++) {
        write(session, table.newInsert(), order(id));
      }
      session.flush();
      for (Order order : List.copyOf(model.values())) {
        if (random.nextInt(6) == 0) {
          Order changed = order(order.id());
          write(
              session,
              table.newUpsert(),
              new Order(
                  order.region(),
                  order.id(),
                  changed.quantity(),
                  changed.price(),
                  changed.weight(),
                  changed.note(),
                  changed.day(),
                  changed.open()));
        } else if (random.nextInt(10) == 0) {
          Operation delete = table.newDelete();
          delete.getRow().addString("region", order.region());
          delete.getRow().addInt("id", order.id());
          session.apply(delete);
          model.remove(List.<Object>of(order.region(), order.id()));
        }
      }
      session.flush();
      assertThat(session.countPendingErrors()).isZero();
      session.close();
    }

    private Order order(int id) {
      return new Order(
          REGIONS[random.nextInt(REGIONS.length)],
          id,
          random.nextInt(5) == 0 ? null : random.nextInt(20) - 5,
          random.nextInt(5) == 0 ? null : BigDecimal.valueOf(random.nextInt(100_000), 2),
          random.nextInt(5) == 0 ? null : random.nextInt(64) / 8.0,
          random.nextInt(4) == 0 ? null : NOTES[random.nextInt(NOTES.length)],
          random.nextInt(12),
          random.nextBoolean());
    }

    private void write(KuduSession session, Operation operation, Order order) throws KuduException {
      PartialRow row = operation.getRow();
      row.addString("region", order.region());
      row.addInt("id", order.id());
      if (order.quantity() == null) {
        row.setNull("quantity");
      } else {
        row.addInt("quantity", order.quantity());
      }
      if (order.price() == null) {
        row.setNull("price");
      } else {
        row.addDecimal("price", order.price());
      }
      if (order.weight() == null) {
        row.setNull("weight");
      } else {
        row.addDouble("weight", order.weight());
      }
      if (order.note() == null) {
        row.setNull("note");
      } else {
        row.addString("note", order.note());
      }
      row.addInt("day", order.day());
      row.addBoolean("open", order.open());
      session.apply(operation);
      model.put(List.of(order.region(), order.id()), order);
    }

    // -------------------------------------------------------------- conditions

    private ColumnSchema column(String name) {
      return table.getSchema().getColumn(name);
    }

    private Filter filter(int depth) {
      if (depth > 0 && random.nextInt(3) > 0) {
        Filter a = filter(depth - 1);
        Filter b = filter(depth - 1);
        return switch (random.nextInt(3)) {
          case 0 -> and(a, b);
          case 1 -> not(and(not(a), not(b)), KuduCondition.or(a.condition(), b.condition()));
          default -> not(a);
        };
      }
      return leaf();
    }

    private static Filter not(Filter filter) {
      return not(filter, filter.condition().not());
    }

    private static Filter not(Filter filter, KuduCondition condition) {
      return new Filter(
          condition,
          order -> {
            Boolean value = filter.meaning().apply(order);
            return value == null ? null : !value;
          });
    }

    private static Filter and(Filter a, Filter b) {
      return new Filter(
          KuduCondition.and(a.condition(), b.condition()),
          order -> {
            Boolean left = a.meaning().apply(order);
            Boolean right = b.meaning().apply(order);
            if (Boolean.FALSE.equals(left) || Boolean.FALSE.equals(right)) {
              return false;
            }
            return (left == null || right == null) ? null : (Boolean) true;
          });
    }

    private Filter leaf() {
      ComparisonOp op = ComparisonOp.values()[random.nextInt(ComparisonOp.values().length)];
      switch (random.nextInt(8)) {
        case 0 -> {
          long value = random.nextInt(4) == 0 ? Integer.MIN_VALUE : random.nextInt(20) - 5;
          return new Filter(
              KuduPredicate.newComparisonPredicate(column("quantity"), op, value).asCondition(),
              order -> compare(op, order.quantity(), (int) value));
        }
        case 1 -> {
          List<String> values = List.of(NOTES[random.nextInt(NOTES.length)], "a");
          return new Filter(
              KuduPredicate.newInListPredicate(column("note"), values).asCondition(),
              order -> order.note() == null ? null : (Boolean) values.contains(order.note()));
        }
        case 2 -> {
          String name = random.nextBoolean() ? "note" : "weight";
          boolean wantsNull = random.nextBoolean();
          KuduPredicate predicate =
              wantsNull
                  ? KuduPredicate.newIsNullPredicate(column(name))
                  : KuduPredicate.newIsNotNullPredicate(column(name));
          return new Filter(
              predicate.asCondition(),
              order ->
                  wantsNull == ((name.equals("note") ? order.note() : order.weight()) == null));
        }
        case 3 -> {
          String[] patterns = {"late%", "%again", "%_s%", "_", "%", "____%", "lost\\_in\\%%", "a"};
          String[] meanings = {
            "late.*", ".*again", ".*.s.*", ".", ".*", "....+", "lost_in%.*", "a"
          };
          int chosen = random.nextInt(patterns.length);
          String regex = chosen == 5 ? ".{4}.*" : meanings[chosen];
          return new Filter(
              KuduCondition.like(column("note"), patterns[chosen]),
              order -> order.note() == null ? null : (Boolean) order.note().matches(regex));
        }
        case 4 -> {
          return new Filter(
              KuduExpression.column(column("quantity"))
                  .plus(KuduExpression.column(column("day")))
                  .compare(op, KuduExpression.literal("4.5")),
              order ->
                  order.quantity() == null
                      ? null
                      : compare(
                          op,
                          BigDecimal.valueOf(order.quantity() + order.day()),
                          new BigDecimal("4.5")));
        }
        case 5 -> {
          return new Filter(
              KuduExpression.column(column("price"))
                  .compare(op, KuduExpression.column(column("weight"))),
              order ->
                  (order.price() == null || order.weight() == null)
                      ? null
                      : compare(op, order.price().doubleValue(), order.weight()));
        }
        case 6 -> {
          return new Filter(
              KuduCondition.compare(column("quantity"), op, column("day")),
              order -> compare(op, order.quantity(), order.day()));
        }
        default -> {
          return new Filter(
              KuduCondition.compare(column("region"), op, column("note")),
              order -> compare(op, bytes(order.region()), bytes(order.note())));
        }
      }
    }

    /** Text whose order is that of its UTF-8 bytes. */
    private static String bytes(String text) {
      return text == null
          ? null
          : new String(
              text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
              java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static <T extends Comparable<T>> Boolean compare(ComparisonOp op, T a, T b) {
      if (a == null || b == null) {
        return null;
      }
      int order = a.compareTo(b);
      return switch (op) {
        case EQUAL -> order == 0;
        case LESS -> order < 0;
        case LESS_EQUAL -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_EQUAL -> order >= 0;
      };
    }

    // -------------------------------------------------------------- scans

    void verifyScan(String what) throws Exception {
      Filter filter = filter(3);
      long limit = random.nextInt(4) == 0 ? 1 + random.nextInt(50) : Long.MAX_VALUE;
      KuduScanner.KuduScannerBuilder scan =
          client
              .newScannerBuilder(table)
              .setProjectedColumnNames(List.of("id", "note"))
              .addCondition(filter.condition());
      boolean firstDays = random.nextInt(3) == 0;
      if (firstDays) {
        scan.addPredicate(
            KuduPredicate.newComparisonPredicate(column("day"), ComparisonOp.LESS, 6L));
      }
      if (limit != Long.MAX_VALUE) {
        scan.limit(limit);
      }
      List<String> expected =
          model.values().stream()
              .filter(order -> filter.keeps(order) && (!firstDays || order.day() < 6))
              .map(order -> order.id() + " " + order.note())
              .toList();
      List<String> found = new ArrayList<>();
      if (random.nextInt(4) == 0 && limit == Long.MAX_VALUE) {
        readTokens(filter, firstDays, found);
      } else {
        for (RowResult row : scan.build()) {
          found.add(text(row));
        }
      }
      if (expected.size() > limit) {
        assertThat(found).as("%s: %s", what, filter).hasSize((int) limit);
        assertThat(expected).containsAll(found);
      } else {
        assertThat(found).as("%s: %s", what, filter).containsExactlyInAnyOrderElementsOf(expected);
      }
    }

    private void readTokens(Filter filter, boolean firstDays, List<String> found) throws Exception {
      KuduScanToken.KuduScanTokenBuilder tokens =
          client
              .newScanTokenBuilder(table)
              .setProjectedColumnNames(List.of("id", "note"))
              .addCondition(filter.condition());
      if (firstDays) {
        tokens.addPredicate(
            KuduPredicate.newComparisonPredicate(column("day"), ComparisonOp.LESS, 6L));
      }
      for (KuduScanToken token : tokens.build()) {
        for (RowResult row : KuduScanToken.deserializeIntoScanner(token.serialize(), client)) {
          found.add(text(row));
        }
      }
    }

    private static String text(RowResult row) {
      return row.getInt("id") + " " + (row.isNull("note") ? null : row.getString("note"));
    }

    // -------------------------------------------------------------- aggregates

    void verifyAggregate(String what) throws Exception {
      Filter where = filter(2);
      Filter filter = filter(1);
      List<String> groupBy = new ArrayList<>();
      for (String column : List.of("region", "open", "note", "quantity", "id")) {
        if (random.nextInt(column.equals("id") ? 12 : 3) == 0) {
          groupBy.add(column);
        }
      }
      KuduExpression total =
          KuduExpression.column(column("quantity")).times(KuduExpression.column(column("price")));
      KuduAggregate aggregate =
          table
              .aggregate()
              .addCondition(where.condition())
              .groupBy(groupBy.toArray(String[]::new))
              .count("rows")
              .count("notes", "note")
              .sum("quantities", "quantity")
              .sum("total", total)
              .filter(filter.condition())
              .min("first", "note")
              .max("last", "note")
              .filter(filter.condition())
              .min("cheapest", "price")
              .max("dearest", total)
              .average("mean", "quantity")
              .average("weight", "weight")
              .filter(filter.condition())
              .countDistinct("different notes", "note")
              .countDistinct("different weights", "weight")
              .countDistinct("different days", "day")
              .filter(filter.condition())
              .countDistinctApprox("about notes", "note")
              .countDistinctApprox("about days", "day")
              .filter(filter.condition())
              .count("filtered")
              .filter(filter.condition())
              .build();
      Map<String, List<Order>> expected =
          model.values().stream()
              .filter(where::keeps)
              .collect(Collectors.groupingBy(order -> group(order, groupBy)));
      if (groupBy.isEmpty() && expected.isEmpty()) {
        expected.put("", List.of());
      }
      int groups = 0;
      for (RowResult row : aggregate.execute()) {
        String group = group(row, groupBy);
        assertThat(expected).as("%s: %s by %s", what, where, groupBy).containsKey(group);
        verifyGroup(
            row,
            expected.get(group),
            filter,
            what + ": " + where + " by " + groupBy + " filter " + filter + " group " + group);
        groups++;
      }
      assertThat(groups).as("%s: %s by %s", what, where, groupBy).isEqualTo(expected.size());
    }

    private static void verifyGroup(RowResult row, List<Order> all, Filter filter, String what) {
      List<Order> some = all.stream().filter(filter::keeps).toList();
      assertThat(row.getLong("rows")).as(what).isEqualTo(all.size());
      assertThat(row.getLong("filtered")).as(what).isEqualTo(some.size());
      assertThat(row.getLong("notes"))
          .as(what)
          .isEqualTo(all.stream().filter(order -> order.note() != null).count());
      assertThat(row.getLong("different notes"))
          .as(what)
          .isEqualTo(notes(all).stream().distinct().count());
      assertThat(row.getLong("different days"))
          .as(what)
          .isEqualTo(some.stream().map(Order::day).distinct().count());
      assertThat(row.getLong("different weights"))
          .as(what)
          .isEqualTo(
              all.stream()
                  .map(Order::weight)
                  .filter(Objects::nonNull)
                  .map(weight -> weight == 0 ? 0.0 : weight)
                  .distinct()
                  .count());
      for (String column : List.of("notes", "days")) {
        assertThat(row.getLong("about " + column))
            .as("%s: few values are counted exactly", what)
            .isEqualTo(row.getLong("different " + column));
      }
      List<Integer> quantities =
          all.stream().map(Order::quantity).filter(Objects::nonNull).toList();
      long sum = quantities.stream().mapToLong(Integer::longValue).sum();
      verify(row, "quantities", quantities.isEmpty() ? null : sum, what);
      if (quantities.isEmpty()) {
        assertThat(row.isNull("mean")).as(what).isTrue();
      } else {
        assertThat(row.getDouble("mean"))
            .as(what)
            .isCloseTo((double) sum / quantities.size(), within(1e-9));
      }
      verify(row, "total", totals(some).stream().reduce(BigDecimal::add).orElse(null), what);
      verify(row, "dearest", totals(all).stream().max(BigDecimal::compareTo).orElse(null), what);
      verify(
          row,
          "cheapest",
          all.stream()
              .map(Order::price)
              .filter(Objects::nonNull)
              .min(BigDecimal::compareTo)
              .orElse(null),
          what);
      verify(row, "first", notes(all).stream().min(Orders::compareBytes).orElse(null), what);
      verify(row, "last", notes(some).stream().max(Orders::compareBytes).orElse(null), what);
      List<Double> weights = some.stream().map(Order::weight).filter(Objects::nonNull).toList();
      if (weights.isEmpty()) {
        assertThat(row.isNull("weight")).as(what).isTrue();
      } else {
        assertThat(row.getDouble("weight"))
            .as(what)
            .isCloseTo(
                weights.stream().mapToDouble(Double::doubleValue).average().orElseThrow(),
                within(1e-9));
      }
    }

    private static int compareBytes(String a, String b) {
      return bytes(a).compareTo(bytes(b));
    }

    private static List<BigDecimal> totals(List<Order> orders) {
      return orders.stream()
          .filter(order -> order.quantity() != null && order.price() != null)
          .map(order -> order.price().multiply(BigDecimal.valueOf(order.quantity())))
          .toList();
    }

    private static List<String> notes(List<Order> orders) {
      return orders.stream().map(Order::note).filter(Objects::nonNull).toList();
    }

    private static void verify(RowResult row, String column, Object expected, String what) {
      if (expected == null) {
        assertThat(row.isNull(column)).as(what + ": " + column).isTrue();
      } else {
        assertThat(row.getObject(column)).as(what + ": " + column).isEqualTo(expected);
      }
    }

    private static String group(Order order, List<String> groupBy) {
      return groupBy.stream()
          .map(
              column ->
                  String.valueOf(
                      switch (column) {
                        case "region" -> order.region();
                        case "open" -> order.open();
                        case "note" -> order.note();
                        case "id" -> order.id();
                        default -> order.quantity();
                      }))
          .collect(Collectors.joining("|"));
    }

    private static String group(RowResult row, List<String> groupBy) {
      return groupBy.stream()
          .map(column -> row.isNull(column) ? "null" : String.valueOf(row.getObject(column)))
          .collect(Collectors.joining("|"));
    }

    // -------------------------------------------------------------- first rows

    private record By(String name, Comparator<Order> order) {}

    private By by(boolean ascending, boolean nullsFirst) {
      return switch (random.nextInt(5)) {
        case 0 -> by("note", order -> bytes(order.note()), ascending, nullsFirst);
        case 1 -> by("quantity", Order::quantity, ascending, nullsFirst);
        case 2 -> by("price", Order::price, ascending, nullsFirst);
        case 3 -> by("weight", Order::weight, ascending, nullsFirst);
        default -> by("open", Order::open, ascending, nullsFirst);
      };
    }

    private static <T extends Comparable<T>> By by(
        String name, Function<Order, T> cell, boolean ascending, boolean nullsFirst) {
      Comparator<T> rising = Comparator.naturalOrder();
      Comparator<T> directed = ascending ? rising : rising.reversed();
      return new By(
          name,
          Comparator.comparing(
              cell, nullsFirst ? Comparator.nullsFirst(directed) : Comparator.nullsLast(directed)));
    }

    /** Any order that the unique id makes total, with an offset. */
    void verifyFirstRows(String what) throws Exception {
      Filter filter = filter(1);
      int limit = 1 + random.nextInt(random.nextBoolean() ? 5 : 2000);
      int offset = random.nextInt(3) == 0 ? random.nextInt(30) : 0;
      KuduScanner.KuduScannerBuilder scan =
          client
              .newScannerBuilder(table)
              .setProjectedColumnNames(List.of("id", "note"))
              .addCondition(filter.condition())
              .limit(limit)
              .offset(offset);
      KuduScanToken.KuduScanTokenBuilder tokens =
          client
              .newScanTokenBuilder(table)
              .setProjectedColumnNames(List.of("id", "note"))
              .addCondition(filter.condition())
              .limit(limit);
      Comparator<Order> order = Comparator.comparing(each -> 0);
      StringBuilder text = new StringBuilder(what).append(": ").append(filter).append(" by");
      for (int i = random.nextInt(3); i >= 0; i--) {
        boolean ascending = random.nextBoolean();
        boolean nullsFirst = random.nextBoolean();
        By by = by(ascending, nullsFirst);
        order = order.thenComparing(by.order());
        scan.orderBy(by.name(), ascending, nullsFirst);
        tokens.orderBy(by.name(), ascending, nullsFirst);
        text.append(' ').append(by.name()).append(ascending).append(nullsFirst);
      }
      order = order.thenComparing(Order::id);
      scan.orderBy("id", true);
      tokens.orderBy("id", true, true);
      List<String> expected =
          model.values().stream()
              .filter(filter::keeps)
              .sorted(order)
              .skip(offset)
              .limit(limit)
              .map(row -> row.id() + " " + row.note())
              .toList();
      List<String> found = new ArrayList<>();
      for (RowResult row : scan.build()) {
        found.add(text(row));
      }
      assertThat(found).as(text.toString()).isEqualTo(expected);
      if (offset == 0 && random.nextInt(3) == 0) {
        List<String> ofTokens = new ArrayList<>();
        for (KuduScanToken token : tokens.build()) {
          for (RowResult row : KuduScanToken.deserializeIntoScanner(token.serialize(), client)) {
            ofTokens.add(text(row));
          }
        }
        assertThat(ofTokens).as(text.toString()).containsAll(expected);
        assertThat(ofTokens.size()).isLessThanOrEqualTo(3 * limit);
      }
    }

    /** The order and number of result rows. */
    void verifyTop() throws KuduException {
      KuduAggregateBuilder query =
          table
              .aggregate()
              .groupBy("note")
              .count("rows")
              .orderBy("rows", false)
              .orderBy("note", true)
              .limit(3);
      List<String> found = new ArrayList<>();
      for (RowResult row : query.build().execute()) {
        found.add(group(row, List.of("note")) + " " + row.getLong("rows"));
      }
      Map<String, Long> counts =
          model.values().stream()
              .collect(
                  Collectors.groupingBy(
                      order -> String.valueOf(order.note()), Collectors.counting()));
      List<String> expected =
          counts.entrySet().stream()
              .sorted(
                  Map.Entry.<String, Long>comparingByValue()
                      .reversed()
                      .thenComparing(
                          (a, b) ->
                              a.getKey().equals("null")
                                  ? -1
                                  : b.getKey().equals("null")
                                      ? 1
                                      : compareBytes(a.getKey(), b.getKey())))
              .limit(3)
              .map(entry -> entry.getKey() + " " + entry.getValue())
              .toList();
      assertThat(found).isEqualTo(expected);
      assertThat(intoArrow(query.build())).isEqualTo(expected);
    }

    private static List<String> intoArrow(KuduAggregate query) throws KuduException {
      List<String> found = new ArrayList<>();
      try (BufferAllocator allocator = new RootAllocator();
          VectorSchemaRoot rows = query.execute(allocator)) {
        for (int i = 0; i < rows.getRowCount(); i++) {
          found.add(
              rows.getVector("note").getObject(i) + " " + rows.getVector("rows").getObject(i));
        }
      }
      return found;
    }
  }
}
