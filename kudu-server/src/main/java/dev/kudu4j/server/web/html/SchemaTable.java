package dev.kudu4j.server.web.html;

import static j2html.TagCreator.text;

import dev.kudu4j.common.predicate.PredicateText;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import j2html.tags.DomContent;
import java.util.Locale;

/** The columns of a table. */
public final class SchemaTable {
  private SchemaTable() {}

  /**
   * @param redacted whether to hide default values
   */
  public static DomContent of(Schema schema, boolean redacted) {
    return DataTable.<ColumnSchema>of("Columns")
        .text("Column", ColumnSchema::name)
        .number("Id", column -> Figures.count(column.id()))
        .id("Type", column -> text(column.typeText()))
        .cell("", SchemaTable::marks)
        .id("Default", column -> defaults(column, redacted))
        .id("Encoding", column -> text(lower(column.encoding())))
        .id("Compression", column -> text(lower(column.compression())))
        .prose("Comment", ColumnSchema::comment)
        .rows(schema.columns());
  }

  private static DomContent marks(ColumnSchema column) {
    if (column.isAutoIncrementing()) {
      return Badges.plain("key, auto-incrementing");
    }
    if (column.isKey()) {
      return Badges.plain("key");
    }
    return column.isImmutable() ? Badges.plain("immutable") : text("");
  }

  private static DomContent defaults(ColumnSchema column, boolean redacted) {
    if (column.writeDefault() == null) {
      return Figures.none();
    }
    return text(redacted ? PredicateText.REDACTED : CellText.of(column, column.writeDefault()));
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
