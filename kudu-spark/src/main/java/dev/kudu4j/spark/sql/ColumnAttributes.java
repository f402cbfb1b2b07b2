package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.TableProperties;
import dev.kudu4j.spark.sql.ImpalaSqlParser.AttributeContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.BlockSizeContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ColumnContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.CompressionContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.EncodingContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.NullableContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.WordContext;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Moves the attributes of a column that Spark does not know to the properties of the table. */
final class ColumnAttributes {
  private ColumnAttributes() {}

  static void move(ColumnContext column, StatementText text, Map<String, String> properties) {
    Set<Class<?>> kinds = new HashSet<>();
    for (AttributeContext attribute : column.attribute()) {
      if (!kinds.add(attribute.getClass())) {
        throw Grammar.error(
            attribute,
            CreateTable.NAME
                + ": column "
                + Names.of(column.name)
                + " has this attribute twice; remove one of them");
      }
      move(column, attribute, text, properties);
    }
  }

  private static void move(
      ColumnContext column,
      AttributeContext attribute,
      StatementText text,
      Map<String, String> properties) {
    String prefix = TableProperties.COLUMN + Names.of(column.name);
    if (attribute instanceof EncodingContext encoding) {
      properties.put(prefix + TableProperties.ENCODING, word(encoding.word()));
    } else if (attribute instanceof CompressionContext compression) {
      properties.put(prefix + TableProperties.COMPRESSION, word(compression.word()));
    } else if (attribute instanceof BlockSizeContext blockSize) {
      properties.put(prefix + TableProperties.BLOCK_SIZE, blockSize.NUMBER().getText());
    } else if (!(attribute instanceof NullableContext)) {
      return; // Spark's
    }
    text.erase(attribute);
  }

  private static String word(WordContext word) {
    return SqlText.unquotedName(word.getText());
  }
}
