package dev.kudu4j.tserver.scan;

import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.ExpressionText;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.PredicateText;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Formats a scan as an SQL statement: {@code SELECT a, b FROM t WHERE a < 5}. With redaction, the
 * text contains no cell.
 */
final class ScanText {
  private static final int MAX_COLUMNS = 30;

  private final boolean redacted;

  ScanText(boolean redacted) {
    this.redacted = redacted;
  }

  /**
   * @param table the current schema, used to decode keys; null if the tablet is not open
   */
  String of(ScanTrace.Query query, @Nullable Schema table) {
    StringBuilder text = new StringBuilder(query.kind());
    text.append(' ').append(columns(query)).append(" FROM ").append(query.tableName());
    List<String> conditions = conditions(query, table);
    if (!conditions.isEmpty()) {
      text.append(" WHERE ").append(String.join(" AND ", conditions));
    }
    if (query.aggregation() != null && !query.aggregation().groupBy().isEmpty()) {
      text.append(" GROUP BY ").append(names(query.aggregation().groupBy()));
    }
    if (query.ordered()) {
      text.append(" ORDER BY PRIMARY KEY");
    }
    if (query.top() != null) {
      text.append(" ORDER BY ").append(query.top().orderText());
      text.append(" LIMIT ").append(query.top().count());
    }
    if (query.limit() != Long.MAX_VALUE) {
      text.append(" LIMIT ").append(query.limit());
    }
    return text.toString();
  }

  private String columns(ScanTrace.Query query) {
    Aggregation aggregation = query.aggregation();
    if (aggregation == null) {
      List<ColumnSchema> projection = query.projection().columns();
      return projection.isEmpty() ? "COUNT(*)" : names(projection);
    }
    List<String> results = new ArrayList<>();
    aggregation.groupBy().forEach(column -> results.add(column.name()));
    aggregation
        .aggregates()
        .forEach(aggregate -> results.add(ExpressionText.of(aggregate, redacted)));
    return shortened(results);
  }

  private static String names(List<ColumnSchema> columns) {
    return shortened(columns.stream().map(ColumnSchema::name).toList());
  }

  private static String shortened(List<String> names) {
    int count = names.size();
    String shown = names.stream().limit(MAX_COLUMNS).collect(Collectors.joining(", "));
    return count <= MAX_COLUMNS ? shown : shown + ", … " + count + " columns in all";
  }

  private List<String> conditions(ScanTrace.Query query, @Nullable Schema table) {
    List<String> conditions = new ArrayList<>();
    if (query.lowerKey() != null) {
      conditions.add("PRIMARY KEY >= " + key(query.lowerKey(), table));
    }
    if (query.upperKey() != null) {
      conditions.add("PRIMARY KEY < " + key(query.upperKey(), table));
    }
    if (query.keys() > 0) {
      conditions.add("PRIMARY KEY IN (" + query.keys() + (query.keys() == 1 ? " key)" : " keys)"));
    }
    for (ColumnPredicate predicate : query.predicates()) {
      conditions.add(PredicateText.of(predicate, redacted));
    }
    if (query.condition() != null) {
      conditions.add(ExpressionText.of(query.condition(), redacted));
    }
    return conditions;
  }

  private String key(byte[] key, @Nullable Schema table) {
    if (redacted || table == null) {
      return PredicateText.REDACTED;
    }
    try {
      byte[][] cells = KeyDecoder.decode(table, key);
      StringJoiner text = new StringJoiner(", ", "(", ")");
      for (int i = 0; i < cells.length; i++) {
        text.add(CellText.of(table.column(i), cells[i]));
      }
      return text.toString();
    } catch (KuduException e) {
      return "(" + key.length + " bytes)";
    }
  }
}
