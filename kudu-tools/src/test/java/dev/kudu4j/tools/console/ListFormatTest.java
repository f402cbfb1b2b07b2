package dev.kudu4j.tools.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListFormatTest {
  private static final List<ListColumn> COLUMNS =
      List.of(ListColumn.text("name"), ListColumn.number("rows"));

  private static String print(ListFormat format, List<?>... rows) {
    StringWriter text = new StringWriter();
    try (ListPrinter list = format.openWithNulls(COLUMNS, new PrintWriter(text))) {
      for (List<?> row : rows) {
        list.row(row);
      }
    }
    return text.toString();
  }

  @Test
  void prettyAlignsAndKeepsRowsOnALine() {
    assertThat(print(ListFormat.pretty, List.of("a\nb", 5), Arrays.asList(null, 12345678)))
        .isEqualTo(
            """
             name |   rows
            ------+----------
             a\\nb |        5
             NULL | 12345678
            """);
    assertThat(print(ListFormat.pretty)).isEqualTo(" name | rows\n------+------\n");
  }

  @Test
  void prettyOfManyRowsNeedsNoMemoryForThem() {
    StringWriter text = new StringWriter();
    PrettyPrinter list = new PrettyPrinter(COLUMNS, "", new PrintWriter(text));
    for (int i = 0; i < 1_000; i++) {
      list.row(List.of("x", i));
    }
    assertThat(text.toString().lines()).as("the measured rows are out").hasSize(1_002);
    list.row(List.of("a longer name", 1));
    list.close();
    assertThat(text.toString()).endsWith(" a longer name |    1\n");
  }

  @Test
  void csvDistinguishesNullFromEmpty() {
    assertThat(
            print(ListFormat.csv, List.of("a,\"b\"\n", 1), List.of("", 2), Arrays.asList(null, 3)))
        .isEqualTo("name,rows\n\"a,\"\"b\"\"\n\",1\n\"\",2\n,3\n");
    assertThat(print(ListFormat.tsv, List.of("a,\tb", 1))).isEqualTo("name\trows\n\"a,\tb\"\t1\n");
  }

  @Test
  void spaceHasNoTitles() {
    assertThat(print(ListFormat.space, List.of("a", 1))).isEqualTo("a 1\n");
  }

  @Test
  void jsonKeepsTypes() {
    assertThat(print(ListFormat.json)).isEqualTo("[]\n");
    assertThat(
            print(
                ListFormat.json,
                List.of("say \"é\"\n", new BigDecimal("1E+2")),
                Arrays.asList(true, null),
                List.of(1.5f, Double.NaN)))
        .isEqualTo(
            """
            [{"name":"say \\"é\\"\\n","rows":100},
             {"name":true,"rows":null},
             {"name":1.5,"rows":"NaN"}]
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "-list_tablets, --list_tablets",
    "--list-tablets, --list_tablets",
    "-tables=a-b, --tables=a-b",
    "--help, --help",
    "-h, -h",
    "-, -",
    "-5, -5",
    "a-b, a-b",
    "'[\"-x\"]', '[\"-x\"]'"
  })
  void flagsMayBeSpelledAsInApacheKudu(String written, String meant) {
    assertThat(FlagSpelling.canonical(written)).isEqualTo(meant);
  }

  @Test
  void namesMayContainWildcards() {
    assertThat(Names.like(List.of())).accepts("x");
    assertThat(Names.like(List.of("tpch.*", "a"))).accepts("tpch.x", "a").rejects("tpchx", "ab");
  }
}
