package dev.kudu4j.tserver.tablets;

import static j2html.TagCreator.each;
import static j2html.TagCreator.h2;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexText;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.TabletStatistics;
import dev.kudu4j.tablet.index.IndexProgress;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The indexes of a replica, and how much of them is built. */
final class IndexesTable {
  private IndexesTable() {}

  private record Row(IndexDefinition index, IndexProgress progress) {}

  /** The section with its title; null if the tablet has no index. */
  static @Nullable DomContent of(TabletDescriptor tablet, TabletStatistics statistics) {
    List<Row> rows = new ArrayList<>();
    for (IndexDefinition index : tablet.indexes()) {
      statistics.indexes().stream()
          .filter(progress -> progress.indexId() == index.id())
          .forEach(progress -> rows.add(new Row(index, progress)));
    }
    if (rows.isEmpty()) {
      return null;
    }
    return each(
        h2("Indexes"),
        DataTable.<Row>of("Indexes")
            .text("Index", row -> row.index.name())
            .prose("Definition", row -> IndexText.of(row.index, tablet.schema()).toString())
            .number("Rowsets built", row -> Figures.count(row.progress.builtRowSets()))
            .number("Rowsets", row -> Figures.count(row.progress.rowSets()))
            .number("Rows built", row -> Figures.count(row.progress.builtRows()))
            .number("Rows", row -> Figures.count(row.progress.rows()))
            .rows(rows));
  }
}
