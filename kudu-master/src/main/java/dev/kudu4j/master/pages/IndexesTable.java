package dev.kudu4j.master.pages;

import static j2html.TagCreator.each;
import static j2html.TagCreator.h2;
import static j2html.TagCreator.text;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexText;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.catalog.TableInfo;
import dev.kudu4j.master.directory.IndexState;
import dev.kudu4j.master.service.LeaderSession;
import dev.kudu4j.master.tables.IndexTables;
import dev.kudu4j.server.web.html.Badges;
import dev.kudu4j.server.web.html.DataTable;
import dev.kudu4j.server.web.html.Figures;
import j2html.tags.DomContent;
import java.util.List;

/** The indexes of a table, and how much of them its servers have built. */
final class IndexesTable {
  private IndexesTable() {}

  /** The section with its title; nothing if the table has no index. */
  static DomContent of(TableInfo table, LeaderSession session) {
    List<IndexState> indexes =
        IndexState.of(
            table, session.observed(), index -> IndexTables.find(session.catalog(), table, index));
    if (indexes.isEmpty()) {
      return text("");
    }
    Schema schema = SchemaWire.fromWire(table.entry().getSchema());
    return each(
        h2("Indexes"),
        DataTable.<IndexState>of("Indexes")
            .text("Index", index -> index.index().getName())
            .prose("Definition", index -> definition(index, schema))
            .cell("State", IndexesTable::state)
            .number("Rowsets built", index -> Figures.count(index.builtRowSets()))
            .number("Rowsets", index -> Figures.count(index.rowSets()))
            .rows(indexes));
  }

  private static String definition(IndexState state, Schema schema) {
    IndexDefinition index = IndexWire.fromWire(state.index());
    return IndexText.of(index, schema).toString();
  }

  private static DomContent state(IndexState index) {
    return switch (index.state()) {
      case READY -> Badges.good("ready");
      case CHECKING -> Badges.passing("checking");
      case FAILED -> each(Badges.bad("failed"), text(" " + index.failure()));
      case BUILDING, UNKNOWN_STATE -> Badges.passing("building");
    };
  }
}
