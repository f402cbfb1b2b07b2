package dev.kudu4j.benchmarks.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.report.Side;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class SideOptionsTest {
  @Command(name = "some")
  private static final class SomeCommand {
    @Mixin private SideOptions sides;
  }

  private static SideOptions parse(String... arguments) {
    SomeCommand command = new SomeCommand();
    new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return command.sides;
  }

  @Test
  void givenClusterIsAskedThroughBothClients() {
    SideOptions sides = parse("--against", "host:1");
    assertThat(sides.sources().keySet()).containsExactly(Side.OURS, Side.OUR_SERVERS);
    assertThat(sides.sources().values()).containsOnly(new ClusterSource.Given("host:1"));
    assertThat(sides.title(Side.OUR_SERVERS)).isEqualTo("host:1, published client");
  }

  @Test
  void baselineIsTheSecondCluster() {
    SideOptions sides = parse("--against", "a:1", "--baseline", "b:1,b:2");
    assertThat(sides.sources())
        .containsOnlyKeys(Side.OURS, Side.OUR_SERVERS, Side.PUBLISHED)
        .containsEntry(Side.PUBLISHED, new ClusterSource.Given("b:1,b:2"));
    assertThat(sides.title(Side.PUBLISHED)).isEqualTo("b:1,b:2, published client");
  }

  @Test
  void someSidesAlone() {
    assertThat(
            parse("--only", "published,our_client", "--against", "a", "--baseline", "b")
                .sources()
                .keySet())
        .containsExactly(Side.OUR_CLIENT, Side.PUBLISHED);
  }

  @Test
  void whatCannotRunIsRefused() {
    assertThatThrownBy(() -> parse("--baseline", "b").sources())
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--against");
    assertThatThrownBy(() -> parse("--against", "a", "--only", "published").sources())
        .hasMessageContaining("--only");
    assertThatThrownBy(() -> parse("--against", "a", "--replicas", "2").sources())
        .hasMessageContaining("odd");
    assertThatThrownBy(() -> parse("--against", "a", "--only", "ours,ours_tcp").sources())
        .hasMessageContaining("OURS_TCP");
  }
}
