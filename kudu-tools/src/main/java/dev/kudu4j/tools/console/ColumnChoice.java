package dev.kudu4j.tools.console;

import dev.kudu4j.common.status.KuduException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The selected columns of a list, in order. */
public final class ColumnChoice {
  private final List<ListColumn> columns;
  private final List<Integer> positions;

  private ColumnChoice(List<ListColumn> columns, List<Integer> positions) {
    this.columns = columns;
    this.positions = positions;
  }

  /**
   * @param all all columns of the list
   * @param names names of the selected columns, where {@code _} and {@code -} are equivalent; empty
   *     for all columns
   * @param otherNames alternative names of columns, with the titles of the columns
   * @throws KuduException INVALID_ARGUMENT for an unknown name
   */
  public static ColumnChoice of(
      List<ListColumn> all, List<String> names, Map<String, String> otherNames) {
    List<String> titles = all.stream().map(ListColumn::title).toList();
    List<ListColumn> columns = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (String name : names.isEmpty() ? titles : names) {
      String plain = name.strip().toLowerCase(Locale.ROOT).replace('_', '-');
      int position = titles.indexOf(otherNames.getOrDefault(plain, plain));
      if (position < 0) {
        throw KuduException.invalidArgument(
            "--columns: there is no column '%s'; columns are %s", name, String.join(", ", titles));
      }
      columns.add(all.get(position));
      positions.add(position);
    }
    return new ColumnChoice(columns, positions);
  }

  /** A list whose rows have cells for all columns, and which prints the selected columns. */
  public ListPrinter open(ListFormat format, PrintWriter out) {
    ListPrinter printer = format.open(columns, out);
    return new ListPrinter() {
      @Override
      public void row(List<?> cells) {
        printer.row(positions.stream().map(cells::get).collect(Collectors.toList()));
      }

      @Override
      public void close() {
        printer.close();
      }
    };
  }
}
