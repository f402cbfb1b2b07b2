package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduScanner;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.spark.SparkOnKudu;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * If the keys of a join's other side are too many for a list, the scan gets a Bloom filter. The
 * filter may keep rows that the join does not need, but must not drop rows that it needs.
 */
class LongListHintTest {
  @RegisterExtension static final SparkOnKudu KUDU = new SparkOnKudu();

  private static final String TABLE = "hints.all_types";
  private static final int VALUES = 1_500;

  private static List<Row> rows;

  @BeforeAll
  static void load() throws Exception {
    AllTypes.create(KUDU.spark(), "k." + TABLE);
    rows = AllTypes.rows(KUDU.spark(), 200, new Random(3));
    AllTypes.insert(KUDU.client(), TABLE, rows);
  }

  @Test
  void theFilterKeepsAllRowsOfTheListAndDropsOthers() throws Exception {
    KuduTable table = KUDU.client().openTable(TABLE);
    PushedPredicates translation = new PushedPredicates(table.getSchema());
    for (int column = 0; column < AllTypes.COLUMNS.size() + 1; column++) {
      StructField field = AllTypes.schema().apply(column);
      Set<Object> listed = everySecondValue(column, field.dataType());
      Optional<List<KuduPredicate>> hint =
          translation.hint(longList(field.name(), field.dataType(), listed));
      if (field.dataType() == DataTypes.FloatType || field.dataType() == DataTypes.DoubleType) {
        assertThat(hint).as(field.name()).isEmpty();
        continue;
      }
      Set<Integer> wanted = idsWith(column, field.dataType(), listed);
      Set<Integer> passed = scan(table, hint.orElseThrow());
      assertThat(passed).as(field.name()).containsAll(wanted).hasSizeLessThan(rows.size());
      assertThat(passed.size() - wanted.size()).as(field.name()).isLessThan(rows.size() / 10);
    }
  }

  private static Object internal(Row row, int column, DataType type) {
    return CatalystTypeConverters.createToCatalystConverter(type).apply(row.get(column));
  }

  /** The text of a value, to compare values: arrays of bytes have no equals(). */
  private static String text(Object value, DataType type) {
    return new LiteralValue<>(value, type).toString();
  }

  private static Set<Object> everySecondValue(int column, DataType type) {
    Set<String> seen = new HashSet<>();
    Set<Object> chosen = new HashSet<>();
    for (Row row : rows) {
      Object value = internal(row, column, type);
      if (value != null && seen.add(text(value, type)) && seen.size() % 2 == 0) {
        chosen.add(value);
      }
    }
    return chosen;
  }

  private static Predicate longList(String column, DataType type, Set<Object> values) {
    List<Expression> children = new ArrayList<>();
    children.add(Expressions.column(column));
    while (children.size() <= VALUES) {
      values.forEach(value -> children.add(new LiteralValue<>(value, type)));
    }
    return new Predicate("IN", children.toArray(new Expression[0]));
  }

  private static Set<Integer> idsWith(int column, DataType type, Set<Object> values) {
    Set<String> texts = new HashSet<>();
    values.forEach(value -> texts.add(text(value, type)));
    Set<Integer> ids = new HashSet<>();
    for (Row row : rows) {
      Object value = internal(row, column, type);
      if (value != null && texts.contains(text(value, type))) {
        ids.add(row.getInt(0));
      }
    }
    return ids;
  }

  private static Set<Integer> scan(KuduTable table, List<KuduPredicate> predicates)
      throws Exception {
    KuduClient client = KUDU.client();
    KuduScanner.KuduScannerBuilder builder =
        client.newScannerBuilder(table).setProjectedColumnNames(List.of("id"));
    predicates.forEach(builder::addPredicate);
    Set<Integer> ids = new HashSet<>();
    KuduScanner scanner = builder.build();
    try {
      for (RowResult row : scanner) {
        ids.add(row.getInt("id"));
      }
    } finally {
      scanner.close();
    }
    return ids;
  }
}
