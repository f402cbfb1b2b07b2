package dev.kudu4j.server.web.html;

import static j2html.TagCreator.caption;
import static j2html.TagCreator.div;
import static j2html.TagCreator.each;
import static j2html.TagCreator.p;
import static j2html.TagCreator.table;
import static j2html.TagCreator.tbody;
import static j2html.TagCreator.td;
import static j2html.TagCreator.th;
import static j2html.TagCreator.thead;
import static j2html.TagCreator.tr;

import j2html.TagCreator;
import j2html.tags.DomContent;
import j2html.tags.specialized.ThTag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * A table with one row per thing; columns define the cells. If a table is too wide for the page,
 * the table scrolls, and the page does not.
 *
 * <pre>{@code
 * DataTable.<Method>of("Methods")
 *     .text("Name", Method::name)
 *     .number("Calls", method -> Figures.count(method.calls()))
 *     .rows(methods)
 * }</pre>
 *
 * @param <T> the type of the things
 */
public final class DataTable<T> {
  private record Column<T>(String title, String style, Function<T, DomContent> cell) {}

  private final String caption;
  private final List<Column<T>> columns = new ArrayList<>();
  private String whenEmpty = "None.";
  private String style = "scroll";

  private DataTable(String caption) {
    this.caption = caption;
  }

  /**
   * @param caption describes the rows for screen readers; not shown
   */
  public static <T> DataTable<T> of(String caption) {
    return new DataTable<>(caption);
  }

  /** A column of text. */
  public DataTable<T> text(String title, Function<T, String> cell) {
    return column(title, "", thing -> TagCreator.text(cell.apply(thing)));
  }

  /** A column of long text, or text that may break anywhere. */
  public DataTable<T> prose(String title, Function<T, String> cell) {
    return wide(title, thing -> TagCreator.text(cell.apply(thing)));
  }

  /** A column of HTML content. */
  public DataTable<T> cell(String title, Function<T, DomContent> cell) {
    return column(title, "", cell);
  }

  /** A column of long content that may break into lines. */
  public DataTable<T> wide(String title, Function<T, DomContent> cell) {
    return column(title, "prose", cell);
  }

  /** A column of identifiers. */
  public DataTable<T> id(String title, Function<T, DomContent> cell) {
    return column(title, "id", cell);
  }

  /** A column of long identifiers, shown truncated; copied text contains the whole identifier. */
  public DataTable<T> shortId(String title, Function<T, DomContent> cell) {
    return column(title, "id short", cell);
  }

  /** A column of numbers, aligned right. */
  public DataTable<T> number(String title, Function<T, DomContent> cell) {
    return column(title, "number", cell);
  }

  /** A column of bars. */
  public DataTable<T> bar(String title, Function<T, DomContent> cell) {
    return column(title, "bars", cell);
  }

  private DataTable<T> column(String title, String style, Function<T, DomContent> cell) {
    columns.add(new Column<>(title, style, cell));
    return this;
  }

  /** Reduces the spacing of cells, for tables with many columns. */
  public DataTable<T> dense() {
    style = "scroll dense";
    return this;
  }

  /** Sets the sentence shown if there are no rows. */
  public DataTable<T> whenEmpty(String sentence) {
    whenEmpty = sentence;
    return this;
  }

  /** The table with a row for each thing. */
  public DomContent rows(Collection<? extends T> things) {
    if (things.isEmpty()) {
      return p(whenEmpty).withClass("quiet");
    }
    List<DomContent> rows = new ArrayList<>(things.size());
    for (T thing : things) {
      rows.add(tr(each(columns, column -> cell(column, thing))));
    }
    return div(table(
            caption(caption),
            thead(tr(each(columns, DataTable::heading))),
            tbody(each(rows.stream()))))
        .withClass(style)
        .attr("tabindex", "0")
        .attr("role", "region")
        .attr("aria-label", caption);
  }

  private static <T> DomContent cell(Column<T> column, T thing) {
    DomContent content = column.cell.apply(thing);
    return column.style.isEmpty() ? td(content) : td(content).withClass(column.style);
  }

  private static <T> DomContent heading(Column<T> column) {
    ThTag heading = th(column.title).attr("scope", "col");
    boolean aligned = column.style.equals("number");
    return aligned ? heading.withClass(column.style) : heading;
  }
}
