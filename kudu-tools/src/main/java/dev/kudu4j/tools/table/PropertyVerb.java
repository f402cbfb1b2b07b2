package dev.kudu4j.tools.table;

import dev.kudu4j.client.AlterTableOptions;
import dev.kudu4j.tools.connection.Target;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Base class of verbs that change a property of a table. The arguments are TABLE and values. */
abstract class PropertyVerb extends AlterVerb {
  private final String[] names;
  private CommandSpec verb;

  /**
   * @param names names of the arguments after the masters
   */
  PropertyVerb(String... names) {
    this.names = names;
  }

  @Spec
  void declare(CommandSpec spec) {
    verb = spec;
    Target.declare(spec, names);
  }

  /**
   * The change of the table.
   *
   * @param values the arguments after the table
   */
  abstract AlterTableOptions change(List<String> values);

  /** Describes the table after the change. */
  abstract String outcome(List<String> values);

  @Override
  public final Integer call() throws IOException {
    Target target = Target.declared(verb, names);
    List<String> values = target.arguments().subList(1, names.length);
    alter(
        target,
        (table, known) -> change(values),
        "Table " + target.argument(0) + " has " + outcome(values) + " now");
    return DONE;
  }

  /** Sets the comment. */
  @Command(
      name = "set_comment",
      description = "Sets the comment of a table.",
      footer = "  kudu table set_comment flights 'from New York, 2013'")
  static final class SetComment extends PropertyVerb {
    SetComment() {
      super("TABLE", "COMMENT");
    }

    @Override
    AlterTableOptions change(List<String> values) {
      return new AlterTableOptions().setComment(values.get(0));
    }

    @Override
    String outcome(List<String> values) {
      return "the comment '" + values.get(0) + "'";
    }
  }

  /** Removes the comment. */
  @Command(
      name = "clear_comment",
      description = "Removes the comment of a table.",
      footer = "  kudu table clear_comment flights")
  static final class ClearComment extends PropertyVerb {
    ClearComment() {
      super("TABLE");
    }

    @Override
    AlterTableOptions change(List<String> values) {
      return new AlterTableOptions().setComment("");
    }

    @Override
    String outcome(List<String> values) {
      return "no comment";
    }
  }

  /** Sets an extra configuration property. */
  @Command(
      name = "set_extra_config",
      description = {
        "Sets a property of a table: kudu.table.history_max_age_sec (how far back"
            + " scans can read),",
        "kudu.table.maintenance_priority, kudu.table.disable_compaction, or an index,"
            + " kudu4j.index.INDEX.",
        "'' as VALUE removes it."
      },
      footer = {
        "  kudu table set_extra_config flights kudu.table.history_max_age_sec 3600",
        "  kudu table set_extra_config flights kudu.table.history_max_age_sec ''"
      })
  static final class SetExtraConfig extends PropertyVerb {
    SetExtraConfig() {
      super("TABLE", "NAME", "VALUE");
    }

    @Override
    AlterTableOptions change(List<String> values) {
      return new AlterTableOptions().alterExtraConfigs(Map.of(values.get(0), values.get(1)));
    }

    @Override
    String outcome(List<String> values) {
      return values.get(1).isEmpty() ? "no " + values.get(0) : values.get(0) + "=" + values.get(1);
    }
  }
}
