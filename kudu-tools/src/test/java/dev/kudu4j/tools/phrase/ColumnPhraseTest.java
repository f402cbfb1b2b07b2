package dev.kudu4j.tools.phrase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.CompressionAlgorithm;
import dev.kudu4j.ColumnSchema.Encoding;
import dev.kudu4j.Type;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnPhraseTest {
  @Test
  void columnsAreReadWithAllTheirAttributes() {
    ColumnPhrase.Columns read =
        ColumnPhrase.parse(
            "--columns",
            "id bigint key, `odd name` varchar(10) nullable default 'x' encoding dict compression"
                + " lz4 comment 'it''s', price decimal(10, 2) default 1.5 block_size 4096,");
    assertThat(read.keys()).containsExactly("id");
    assertThat(read.columns())
        .extracting(ColumnSchema::getName)
        .containsExactly("id", "odd name", "price");
    ColumnSchema name = read.columns().get(1);
    assertThat(name.getType()).isEqualTo(Type.VARCHAR);
    assertThat(name.getTypeAttributes().getLength()).isEqualTo(10);
    assertThat(name.isNullable()).isTrue();
    assertThat(name.getDefaultValue()).isEqualTo("x");
    assertThat(name.getEncoding()).isEqualTo(Encoding.DICT_ENCODING);
    assertThat(name.getCompressionAlgorithm()).isEqualTo(CompressionAlgorithm.LZ4);
    assertThat(name.getComment()).isEqualTo("it's");
    ColumnSchema price = read.columns().get(2);
    assertThat(price.isNullable()).isFalse();
    assertThat(price.getDefaultValue()).isEqualTo(new BigDecimal("1.50"));
    assertThat(price.getDesiredBlockSize()).isEqualTo(4096);
  }

  @Test
  void columnsPrintedByDescribeCanBeParsed() {
    ColumnPhrase.Columns read =
        ColumnPhrase.parse(
            "--columns",
            """
            b STRING NOT NULL,
             a INT32 NOT NULL,
             v DECIMAL(8, 2) NULLABLE,
             t UNIXTIME_MICROS WITHOUT TIME ZONE NULLABLE,
             PRIMARY KEY (a, b)""");
    assertThat(read.keys()).containsExactly("a", "b");
    assertThat(read.columns().get(3).isWithoutTimeZone()).isTrue();
    assertThat(read.columns()).hasSize(4);
  }

  @Test
  void primaryKeyHasTheLastWord() {
    assertThat(ColumnPhrase.parse("x", "b int8 key, a int8, primary key (a, b)").keys())
        .isEqualTo(List.of("a", "b"));
  }

  @Test
  void errorsNameThePart() {
    assertError("id int65", "Unknown type 'int65'");
    assertError("id int64 keys", "'keys' at character 10", "column id");
    assertError("id", "the text ends at character 3, expected the type of column id");
    assertError("id int64 key default abc", "column id is INT64: 'abc' is invalid");
    assertError("p decimal", "as DECIMAL(PRECISION, SCALE)");
    assertError("p varchar(x)", "'x' at character 11, expected a length");
    assertError("a int8 encoding fast", "Unknown encoding 'fast'");
    assertError("a int8 compression fast", "Unknown compression 'fast'");
    assertError("", "expected a column");
    assertError("a date without time zone", "Column a: only UNIXTIME_MICROS", "not DATE");
    assertError("a timestamp without zone", "zone");
  }

  private static void assertError(String text, String... parts) {
    assertThatThrownBy(() -> ColumnPhrase.parse("--columns", text)).hasMessageContainingAll(parts);
  }
}
