package dev.kudu4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The error messages for invalid command lines. */
class UsageErrorTest {
  private static void assertNotUnderstood(String error, Object... arguments) {
    KuduRun run = KuduRun.of(arguments);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo(error + "\n");
  }

  @Test
  void aMisspelledVerbGetsASuggestion() {
    assertNotUnderstood(
        "kudu: Unknown verb 'tabel'; did you mean 'table'? kudu --help lists the verbs",
        "tabel",
        "list",
        "--tables=a");
    assertNotUnderstood(
        "kudu table: Unknown verb 'lst'; did you mean 'list'? kudu table --help lists the verbs",
        "table",
        "lst");
    assertNotUnderstood(
        "kudu table: Unknown verb 'rename-column'; did you mean 'rename_column'? kudu table"
            + " --help lists the verbs",
        "table",
        "rename-column",
        "a",
        "b",
        "c");
    assertNotUnderstood(
        "kudu tserver state: Unknown verb 'enter_maintainance'; did you mean"
            + " 'enter_maintenance'? kudu tserver state --help lists the verbs",
        "tserver",
        "state",
        "enter_maintainance",
        "uuid");
  }

  @Test
  void aClusterWithTheNameOfAFileIsNotReadAsAFile() {
    KuduRun run = KuduRun.of("table", "list", "@pom.xml"); // a file of the working directory
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("KUDU_CONFIG");
  }

  @Test
  void anUnsimilarVerbGetsNoSuggestion() {
    assertNotUnderstood(
        "kudu table: Unknown verb 'frobnicate'; kudu table --help lists the verbs",
        "table",
        "frobnicate");
  }

  @Test
  void aMisspelledFlagGetsASuggestion() {
    assertNotUnderstood(
        "kudu table list: Unknown option: '--formt=csv'; did you mean '--format'?",
        "table",
        "list",
        "--formt=csv");
    assertNotUnderstood(
        "kudu table list: Unknown option: '--frobnicate'", "table", "list", "--frobnicate");
  }
}
