package dev.kudu4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the command says to a command line that it does not understand. */
class UsageErrorTest {
  private static void assertNotUnderstood(String error, Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo(error + "\n");
  }

  @Test
  void aMisspeltVerbNamesTheVerbPerhapsMeant() {
    assertNotUnderstood(
        "kudu: There is no verb 'tabel'; did you mean 'table'? kudu --help lists them",
        "tabel",
        "list",
        "--tables=a");
    assertNotUnderstood(
        "kudu table: There is no verb 'lst'; did you mean 'list'? kudu table --help lists them",
        "table",
        "lst");
    assertNotUnderstood(
        "kudu table: There is no verb 'rename-column'; did you mean 'rename_column'? kudu table"
            + " --help lists them",
        "table",
        "rename-column",
        "a",
        "b",
        "c");
    assertNotUnderstood(
        "kudu tserver state: There is no verb 'enter_maintainance'; did you mean"
            + " 'enter_maintenance'? kudu tserver state --help lists them",
        "tserver",
        "state",
        "enter_maintainance",
        "uuid");
  }

  @Test
  void aClusterWithTheNameOfAFileIsNoFileOfArguments() {
    KuduRun run = KuduRun.of("table", "list", "@pom.xml"); // a file of the working directory
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("KUDU_CONFIG");
  }

  @Test
  void aVerbLikeNoOtherIsNotGuessed() {
    assertNotUnderstood(
        "kudu table: There is no verb 'frobnicate'; kudu table --help lists them",
        "table",
        "frobnicate");
  }

  @Test
  void aMisspeltFlagNamesTheFlagPerhapsMeant() {
    assertNotUnderstood(
        "kudu table list: Unknown option: '--formt=csv'; did you mean '--format'?",
        "table",
        "list",
        "--formt=csv");
    assertNotUnderstood(
        "kudu table list: Unknown option: '--frobnicate'", "table", "list", "--frobnicate");
  }
}
