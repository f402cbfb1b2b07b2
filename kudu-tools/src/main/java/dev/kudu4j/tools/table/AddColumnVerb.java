package dev.kudu4j.tools.table;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.phrase.ColumnPhrase;
import dev.kudu4j.tools.phrase.JsonValues;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a column. */
@Command(
    name = "add_column",
    description = {
      "Adds a column. It must be NULLABLE or have a DEFAULT, which existing rows get.",
      "COLUMN is " + ColumnPhrase.FORM + ", or NAME TYPE as two arguments, for a nullable column."
    },
    footer = {
      "  kudu table add_column flights \"note string nullable\"",
      "  kudu table add_column flights \"seats int32 default 0 comment 'as built'\"",
      "  kudu table add_column 127.0.0.1:7051 flights note STRING --comment='as written'"
    })
final class AddColumnVerb extends AlterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLE COLUMN",
      arity = "2..4",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--encoding_type",
      paramLabel = "E",
      description = "Encoding for NAME TYPE, such as DICT_ENCODING; default: AUTO_ENCODING.")
  private String encoding;

  @Option(
      names = "--compression_type",
      paramLabel = "C",
      description = "Compression for NAME TYPE, such as LZ4; default: DEFAULT_COMPRESSION.")
  private String compression;

  @Option(
      names = "--default_value",
      paramLabel = "JSON",
      description =
          "Default for NAME TYPE: a JSON array with one value, such as [5]; default:" + " none.")
  private String defaultValue;

  @Option(
      names = "--comment",
      paramLabel = "TEXT",
      description = "Comment for NAME TYPE; default: none.")
  private String comment;

  @Override
  public Integer call() throws IOException {
    boolean isPhrase = arguments.get(arguments.size() - 1).strip().contains(" ");
    Target target =
        isPhrase
            ? Target.of(arguments, "TABLE", "COLUMN")
            : Target.of(arguments, "TABLE", "NAME", "TYPE");
    ColumnSchema column =
        isPhrase
            ? phrase(target.argument(1))
            : withFlags(
                column("\"" + target.argument(1) + "\" " + target.argument(2) + " nullable"));
    alter(
        target,
        (table, known) -> {
          checkAbsent(table, column.getName());
          return new AlterTableOptions().addColumn(column);
        },
        "Table " + target.argument(0) + " has column " + column.getName() + " now");
    return DONE;
  }

  private ColumnSchema phrase(String text) {
    if (encoding != null || compression != null || defaultValue != null || comment != null) {
      throw KuduException.invalidArgument(
          "The flags for attributes are only for the form NAME TYPE; in the form COLUMN, write the"
              + " attributes after the type");
    }
    return column(text);
  }

  private ColumnSchema withFlags(ColumnSchema column) {
    ColumnSchemaBuilder builder = new ColumnSchemaBuilder(column);
    if (encoding != null) {
      builder.encoding(ColumnPhrase.encoding(encoding));
    }
    if (compression != null) {
      builder.compressionAlgorithm(ColumnPhrase.compression(compression));
    }
    if (defaultValue != null) {
      builder.defaultValue(
          JsonValues.read("--default_value", defaultValue, List.of(column)).get(0));
    }
    if (comment != null) {
      builder.comment(comment);
    }
    return builder.build();
  }

  private static ColumnSchema column(String phrase) {
    ColumnPhrase.Columns parsed = ColumnPhrase.parse("COLUMN", phrase);
    if (parsed.columns().size() != 1 || !parsed.keys().isEmpty()) {
      throw KuduException.invalidArgument(
          "COLUMN: must be a single column that is not a key column");
    }
    ColumnSchema column = parsed.columns().get(0);
    if (!column.isNullable() && column.getDefaultValue() == null) {
      throw KuduException.invalidArgument(
          "Column %s must be NULLABLE or have a DEFAULT for the existing rows", column.getName());
    }
    return column;
  }
}
