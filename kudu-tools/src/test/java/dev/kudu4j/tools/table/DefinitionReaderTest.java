package dev.kudu4j.tools.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import org.junit.jupiter.api.Test;

class DefinitionReaderTest {
  /** The definition in the help of Apache Kudu's tool, and a column that only Kudu4j has. */
  private static final String PUBLISHED =
      """
      {
        "table_name": "test",
        "schema": {
          "columns": [
            {"column_name": "id", "column_type": "INT32", "default_value": "1"},
            {"column_name": "key", "column_type": "INT64", "is_nullable": false,
             "comment": "range partition column"},
            {"column_name": "name", "column_type": "STRING", "comment": "user name"},
            {"column_name": "p", "column_type": "DECIMAL",
             "type_attributes": {"precision": 8, "scale": 2}},
            {"column_name": "local", "column_type": "UNIXTIME_MICROS",
             "is_without_time_zone": true}
          ],
          "key_column_names": ["key", "id"]
        },
        "partition": {
          "hash_partitions": [{"columns": ["id"], "num_buckets": 2, "seed": 8}],
          "range_partition": {
            "columns": ["key"],
            "range_bounds": [
              {"lower_bound": {"bound_type": "inclusive", "bound_values": ["2"]},
               "upper_bound": {"bound_type": "exclusive", "bound_values": ["3"]}},
              {"lower_bound": {"bound_type": "inclusive", "bound_values": [3]}}
            ]
          }
        },
        "extra_configs": {"configs": {"kudu.table.history_max_age_sec": "3600"}},
        "comment": "a test table",
        "num_replicas": 3
      }
      """;

  @Test
  void theDefinitionOfApacheKudusHelpIsAccepted() {
    TableDefinition definition = DefinitionReader.parse("x.json", PUBLISHED);
    Schema schema = definition.schema();
    assertThat(definition.name()).isEqualTo("test");
    assertThat(schema.getColumns())
        .extracting(ColumnSchema::getName)
        .containsExactly("key", "id", "name", "p", "local");
    assertThat(schema.getPrimaryKeyColumnCount()).isEqualTo(2);
    assertThat(schema.getColumn("id").getDefaultValue()).isEqualTo(1);
    assertThat(schema.getColumn("local").isWithoutTimeZone()).isTrue();
    assertThat(schema.getColumn("name").isNullable()).as("as Apache Kudu's tool has it").isTrue();
    definition.options(schema);
  }

  @Test
  void errorsNameThePath() {
    assertError("\"INT64\"", "\"INT65\"", "schema.columns[1].column_type: Unknown type");
    assertError(
        "\"UNIXTIME_MICROS\"",
        "\"DATE\"",
        "schema.columns[4].is_without_time_zone: only UNIXTIME_MICROS");
    assertError("\"1\"", "\"x\"", "schema.columns[0].default_value: column id is INT32");
    assertError("is_nullable", "is_nullabel", "did you mean 'is_nullable'?");
    assertError("\"seed\"", "\"sed\"", "partition.hash_partitions[0] has an unknown member 'sed'");
    assertError("\"inclusive\"", "\"including\"", "bound_type is \"including\"");
    assertError("\"num_replicas\": 3", "\"num_replicas\": \"3\"", "num_replicas is \"3\"");
    assertError("\"column_name\": \"id\",", "", "schema.columns[0].column_name is missing");
    assertThatThrownBy(() -> DefinitionReader.parse("x.json", "{"))
        .hasMessageContaining("x.json is not valid JSON at line 1");
    assertThatThrownBy(() -> DefinitionReader.parse("x.json", "[]"))
        .hasMessageContaining("it must be an object");
  }

  private static void assertError(String right, String wrong, String message) {
    String text = PUBLISHED.replace(right, wrong);
    assertThat(text).isNotEqualTo(PUBLISHED);
    assertThatThrownBy(() -> DefinitionReader.parse("x.json", text))
        .hasMessageStartingWith("x.json: ")
        .hasMessageContaining(message);
  }

  @Test
  void partsMustFitTogether() {
    assertUnfit("[\"key\", \"id\"]", "[]", "has no key");
    assertUnfit("[\"key\", \"id\"]", "[\"key\", \"ix\"]", "There is no column 'ix'");
    assertUnfit("{\"columns\": [\"id\"]", "{\"columns\": [\"name\"]", "is not a key column");
    assertUnfit("[\"2\"]", "[\"2\", \"3\"]", "has 2 lower");
    assertUnfit("\"num_buckets\": 2", "\"num_buckets\": 1", "at least 2");
    assertUnfit("[\"2\"]", "[\"two\"]", "column key is INT64: 'two' is invalid");
  }

  private static void assertUnfit(String right, String wrong, String message) {
    String text = PUBLISHED.replace(right, wrong);
    assertThat(text).isNotEqualTo(PUBLISHED);
    assertThatThrownBy(
            () -> {
              TableDefinition definition = DefinitionReader.parse("x.json", text);
              definition.options(definition.schema());
            })
        .hasMessageContaining(message);
  }
}
