package dev.kudu4j.spark.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameListTest {
  @Test
  void plainNamesAreSeparatedByCommas() {
    assertThat(NameList.parse("")).isEmpty();
    assertThat(NameList.parse(" , ,")).isEmpty();
    assertThat(NameList.parse("a")).containsExactly("a");
    assertThat(NameList.parse(" a ,two words,, c\n")).containsExactly("a", "two words", "c");
    assertThat(NameList.text(List.of("a", "two words"))).isEqualTo("a, two words");
  }

  @Test
  void namesMayBeInBackquotes() {
    assertThat(NameList.parse("`a`, `last, first` ,`b``c`, d"))
        .containsExactly("a", "last, first", "b`c", "d");
    assertThat(NameList.parse("in`side")).as("as it was before quotes").containsExactly("in`side");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a,b", "`", "``", ",", "`a`", "a`,`b", " edge ", "x.y", "日本"})
  void anyNameIsReadAsItWasWritten(String name) {
    List<String> names = List.of("first", name, "last");
    assertThat(NameList.parse(NameList.text(names))).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(strings = {"`a", "a, `b", "`a`b", "`a` b, c", "``", "`"})
  void strayBackquotesAreRefused(String text) {
    assertThatThrownBy(() -> NameList.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The names " + text + " have a backquote");
  }
}
