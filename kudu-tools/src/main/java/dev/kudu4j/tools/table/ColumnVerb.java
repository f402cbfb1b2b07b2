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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Base class of verbs that change one attribute of a column. The arguments are TABLE, COLUMN and
 * the value.
 */
abstract class ColumnVerb extends AlterVerb {
  private final String[] names;
  private CommandSpec verb;

  /**
   * @param names names of the arguments after the masters
   */
  ColumnVerb(String... names) {
    this.names = names;
  }

  @Spec
  void declare(CommandSpec spec) {
    verb = spec;
    Target.declare(spec, names);
  }

  /**
   * The change of a column.
   *
   * @param value the last argument
   */
  abstract AlterTableOptions change(ColumnSchema column, String value);

  /** Describes the column after the change. */
  abstract String outcome(String value);

  @Override
  public final Integer call() throws IOException {
    Target target = Target.declared(verb, names);
    String column = target.argument(1);
    String value = target.argument(names.length - 1);
    alter(
        target,
        (table, known) -> {
          checkColumn(table, column);
          return change(table.getSchema().getColumn(column), value);
        },
        "Column " + column + " of table " + target.argument(0) + " has " + outcome(value) + " now");
    return DONE;
  }

  /** Sets the default of a column. */
  @Command(
      name = "column_set_default",
      description = {
        "Sets the default of a column, which inserts store if they do not set the column.",
        "VALUE is a JSON array with one value. Existing rows do not change."
      },
      footer = {
        "  kudu table column_set_default flights seats '[180]'",
        "  kudu table column_set_default 127.0.0.1:7051 flights note '[\"none\"]'"
      })
  static final class SetDefault extends ColumnVerb {
    SetDefault() {
      super("TABLE", "COLUMN", "VALUE");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions().changeDefault(column.getName(), cell(column, value));
    }

    /**
     * Encodes the value in the width of the column's type. {@link AlterTableOptions} cannot do
     * this, since it does not contain the type of the column.
     */
    private static byte[] cell(ColumnSchema column, String value) {
      Object read = JsonValues.read("VALUE", value, List.of(column)).get(0);
      return new ColumnSchemaBuilder(column).defaultValue(read).build().toCommon().writeDefault();
    }

    @Override
    String outcome(String value) {
      return "the default " + value;
    }
  }

  /** Removes the default. */
  @Command(
      name = "column_remove_default",
      description = {
        "Removes the default of a column. Inserts that do not set the column store"
            + " NULL, or fail if",
        "it is NOT NULL."
      },
      footer = "  kudu table column_remove_default flights seats")
  static final class RemoveDefault extends ColumnVerb {
    RemoveDefault() {
      super("TABLE", "COLUMN");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions().removeDefault(column.getName());
    }

    @Override
    String outcome(String value) {
      return "no default";
    }
  }

  /** Sets the compression. */
  @Command(
      name = "column_set_compression",
      description = {
        "Sets the compression of a column: DEFAULT_COMPRESSION, NO_COMPRESSION, LZ4, SNAPPY, ZLIB.",
        "Existing files keep their compression until a compaction rewrites them."
      },
      footer = "  kudu table column_set_compression flights note LZ4")
  static final class SetCompression extends ColumnVerb {
    SetCompression() {
      super("TABLE", "COLUMN", "COMPRESSION");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions()
          .changeCompressionAlgorithm(column.getName(), ColumnPhrase.compression(value));
    }

    @Override
    String outcome(String value) {
      return "compression " + ColumnPhrase.compression(value);
    }
  }

  /** Sets the encoding. */
  @Command(
      name = "column_set_encoding",
      description = {
        "Sets the encoding of a column: AUTO_ENCODING, PLAIN_ENCODING, PREFIX_ENCODING,",
        "DICT_ENCODING, RLE, BIT_SHUFFLE. Existing files keep their encoding until a compaction",
        "rewrites them."
      },
      footer = "  kudu table column_set_encoding flights note DICT_ENCODING")
  static final class SetEncoding extends ColumnVerb {
    SetEncoding() {
      super("TABLE", "COLUMN", "ENCODING");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions().changeEncoding(column.getName(), ColumnPhrase.encoding(value));
    }

    @Override
    String outcome(String value) {
      return "encoding " + ColumnPhrase.encoding(value);
    }
  }

  /** Sets the block size. */
  @Command(
      name = "column_set_block_size",
      description = {
        "Sets the block size of a column in bytes, before compression; 0 lets the server choose.",
        "Existing files keep their block size until a compaction rewrites them."
      },
      footer = "  kudu table column_set_block_size flights note 65536")
  static final class SetBlockSize extends ColumnVerb {
    SetBlockSize() {
      super("TABLE", "COLUMN", "BYTES");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions().changeDesiredBlockSize(column.getName(), bytes(value));
    }

    private static int bytes(String value) {
      try {
        int bytes = Integer.parseInt(value);
        if (bytes >= 0) {
          return bytes;
        }
      } catch (NumberFormatException e) {
        // handled like a negative number
      }
      throw KuduException.invalidArgument(
          "BYTES is '%s'; it must be an integer from 0 to %d", value, Integer.MAX_VALUE);
    }

    @Override
    String outcome(String value) {
      return "block size " + value;
    }
  }

  /** Sets the comment. */
  @Command(
      name = "column_set_comment",
      description = "Sets the comment of a column; '' removes it.",
      footer = "  kudu table column_set_comment flights note 'as written by the crew'")
  static final class SetComment extends ColumnVerb {
    SetComment() {
      super("TABLE", "COLUMN", "COMMENT");
    }

    @Override
    AlterTableOptions change(ColumnSchema column, String value) {
      return new AlterTableOptions().changeComment(column.getName(), value);
    }

    @Override
    String outcome(String value) {
      return value.isEmpty() ? "no comment" : "the comment '" + value + "'";
    }
  }
}
