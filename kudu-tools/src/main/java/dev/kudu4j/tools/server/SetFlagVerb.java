package dev.kudu4j.tools.server;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes a flag of a running server. */
@Command(
    name = "set_flag",
    description = {
      "Changes a flag of a running server until it stops; the next start uses the"
          + " flags of its command line.",
      "Flags with the tag runtime can be changed. To list them:",
      "  ${PARENT-COMMAND-FULL-NAME} get_flags SERVER --all_flags --flag_tags=runtime"
    },
    footer = {
      "  kudu tserver set_flag 127.0.0.1:7050 scanner_ttl_ms 30000",
      "  kudu master set_flag 127.0.0.1:7051 default_num_replicas 1"
    })
public final class SetFlagVerb extends ServerVerb {
  private CommandSpec verb;

  @Parameters(index = "1", paramLabel = "FLAG", description = "Name of the flag.")
  private String flag;

  @Parameters(index = "2", paramLabel = "VALUE", description = "Its new value.")
  private String value;

  @Option(
      names = "--force",
      description =
          "Also changes a flag without the tag runtime. The server may ignore the"
              + " change, or fail because of it.")
  private boolean force;

  @Option(
      names = "--run_consistency_check",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether the server rejects a value that is inconsistent with its other" + " flags.")
  private boolean check;

  @Spec
  void takeNegativeNumbers(CommandSpec spec) {
    verb = spec;
    FlagValue.takeNegativeNumbers(spec);
  }

  @Override
  int act(NamedServer named) {
    FlagValue.checkNoOption(verb, flag, value);
    FlagChange change = new FlagChange(flag, value, force, check);
    say(change.outcome(named, change.send(named)));
    return DONE;
  }
}
