package dev.kudu4j.tools.table.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.Schema;
import dev.kudu4j.tools.phrase.ColumnPhrase;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CsvHeaderTest {
  private static final Schema SCHEMA =
      new Schema(
          ColumnPhrase.parse("", "id int64, Name string nullable, n int32, d int32 default 1")
              .columns()
              .stream()
              .map(
                  column ->
                      new dev.kudu4j.ColumnSchema.ColumnSchemaBuilder(column)
                          .key(column.getName().equals("id"))
                          .build())
              .toList());

  @Test
  void namesAreMatchedInAnyOrderAndCase() {
    CsvHeader header = CsvHeader.match(List.of("n", " id", "skip", "NAME"), SCHEMA, Set.of("skip"));
    assertThat(header.size()).isEqualTo(4);
    assertThat(List.of(header.column(0), header.column(1), header.column(3)))
        .isEqualTo(List.of(2, 0, 1));
    assertThat(header.column(2)).isNegative();
  }

  @Test
  void errorsNameTheColumn() {
    assertThatThrownBy(() -> CsvHeader.match(List.of("id", "n", "nam"), SCHEMA, Set.of()))
        .hasMessageContainingAll(
            "'nam', which the table does not have", "did you mean 'Name'?", "--ignore_columns=nam");
    assertThatThrownBy(() -> CsvHeader.match(List.of("Name"), SCHEMA, Set.of()))
        .hasMessageContaining("does not contain id (key), n (NOT NULL, without default)");
    assertThatThrownBy(() -> CsvHeader.match(List.of("id", "n", "id"), SCHEMA, Set.of()))
        .hasMessageContaining("contains column id twice");
  }
}
