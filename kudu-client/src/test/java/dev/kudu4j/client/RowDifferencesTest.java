package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowDifferencesTest {
  private final RowDifferences differences = new RowDifferences(3);

  private void part(String[] table, String... index) {
    for (String row : table) {
      differences.addTableRow(row.substring(0, 1), row.substring(1));
    }
    for (String row : index) {
      differences.addIndexRow(row.substring(0, 1), row.substring(1));
    }
    differences.endPart();
  }

  private static String[] table(String... rows) {
    return rows;
  }

  @Test
  void equalRowsMatchInAnyOrder() {
    part(table("a1", "b2"), "b2", "a1");
    part(table());
    assertThat(differences.count()).isZero();
    assertThat(differences.listed()).isEmpty();
  }

  @Test
  void eachKindOfDifferenceIsReported() {
    part(table("a1", "b2"), "a1", "c3");
    part(table("d4"), "d5");
    assertThat(differences.listed())
        .extracting(Object::toString)
        .containsExactly(
            "c: only in the index, which has 3",
            "b: missing in the index; the table has 2",
            "d: the table has 4; the index has 5");
  }

  @Test
  void anEntryThatWasLeftBehindIsReportedOnce() {
    part(table("a1"), "a0", "a1");
    part(table("b1"), "b1", "b0");
    assertThat(differences.listed())
        .extracting(Object::toString)
        .containsExactly("a: only in the index, which has 0", "b: only in the index, which has 0");
  }

  @Test
  void differencesThatAreNotListedAreCounted() {
    part(table("a1", "b2", "c3"));
    assertThat(differences.isListFull()).isTrue();
    part(table("d4"), "e5");
    assertThat(differences.count()).isEqualTo(5);
    assertThat(differences.listed()).hasSize(3);
  }
}
