package dev.kudu4j.master.pages;

import static j2html.TagCreator.each;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.text;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.predicate.PredicateText;
import dev.kudu4j.common.proto.master.ColumnStatisticsPB;
import dev.kudu4j.common.schema.CellText;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;

/** The statistics of the columns of a table that was analyzed, as the last analysis found them. */
final class StatisticsTable {
  private StatisticsTable() {}

  /**
   * The section with its title; nothing if no column was analyzed.
   *
   * @param redacted whether to hide values
   */
  static DomContent of(TableEntryPB table, boolean redacted) {
    if (table.getColumnStatisticsCount() == 0) {
      return text("");
    }
    Schema schema = SchemaWire.fromWire(table.getSchema());
    return each(
        h2("Column statistics"),
        DataTable.<ColumnStatisticsPB>of("Column statistics")
            .text("Column", known -> column(schema, known).name())
            .cell("Analyzed", known -> Figures.moment(known.getAnalyzedMicros()))
            .number("Rows then", known -> Figures.count(known.getRowCount()))
            .number("NULLs", known -> Figures.count(known.getNullCount()))
            .number("Distinct values", known -> Figures.count(known.getDistinctCount()))
            .id("Least", known -> cell(column(schema, known), known.getMin(), redacted))
            .id("Greatest", known -> cell(column(schema, known), known.getMax(), redacted))
            .number("Average length", known -> length(schema, known, known.getAverageLength()))
            .number("Maximum length", known -> length(schema, known, known.getMaxLength()))
            .rows(table.getColumnStatisticsList()));
  }

  private static ColumnSchema column(Schema schema, ColumnStatisticsPB known) {
    return schema.column(schema.indexOfId(known.getColumnId()));
  }

  private static DomContent cell(ColumnSchema column, ByteString cell, boolean redacted) {
    if (cell.isEmpty()) {
      return Figures.none();
    }
    return text(redacted ? PredicateText.REDACTED : CellText.of(column, cell.toByteArray()));
  }

  private static DomContent length(Schema schema, ColumnStatisticsPB known, long bytes) {
    return column(schema, known).type().isVariableLength() ? Figures.bytes(bytes) : Figures.none();
  }
}
