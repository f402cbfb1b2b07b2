package dev.kudu4j.tools.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ListingTest {
  private static String print(ListingFormat format, Listing listing) {
    StringWriter text = new StringWriter();
    format.print(listing, new PrintWriter(text, true));
    return text.toString();
  }

  @Test
  void numbersStandToTheRight() {
    Listing listing = new Listing("Name", "Rows", "Took").add("a", 5, "9 ms").add("bcdef", 1000, "1.5 s");
    assertThat(print(ListingFormat.table, listing).lines())
        .containsExactly("Name   Rows   Took", "a         5   9 ms", "bcdef  1000  1.5 s");
  }

  @Test
  void programsGetJsonAndCsv() {
    Listing listing =
        new Listing("Server name", "Live", "Tablets").add("a \"b\"\n", true, null).add("c,d", false, 7);
    assertThat(print(ListingFormat.json, listing))
        .contains("{\"server_name\": \"a \\\"b\\\"\\u000a\", \"live\": true, \"tablets\": null}")
        .contains("{\"server_name\": \"c,d\", \"live\": false, \"tablets\": 7}");
    assertThat(print(ListingFormat.csv, listing).lines())
        .contains("server_name,live,tablets", "\"c,d\",false,7");
  }

  @Test
  void anEmptyListingHasItsTitles() {
    Listing listing = new Listing("Name", "Rows");
    assertThat(print(ListingFormat.table, listing)).isEqualTo("Name  Rows\n");
    assertThat(print(ListingFormat.json, listing)).isEqualTo("[]\n");
  }

  @Test
  void aRowHasACellForEachTitle() {
    assertThatThrownBy(() -> new Listing("Name", "Rows").add("a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
