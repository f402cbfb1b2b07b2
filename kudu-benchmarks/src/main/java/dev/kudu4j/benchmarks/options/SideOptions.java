package dev.kudu4j.benchmarks.options;

import dev.kudu4j.benchmarks.cluster.ClusterSource;
import dev.kudu4j.benchmarks.cluster.Distribution;
import dev.kudu4j.benchmarks.report.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The clusters that are measured, and the clients that measure them.
 *
 * <pre>
 *   neither                     Kudu4j and the published Apache Kudu, both started by the command
 *   --against A                 A, through both clients
 *   --against A --baseline B    A through both clients, and B through the published one
 * </pre>
 */
public final class SideOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Mixin private HomeOptions home;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "SIDE",
      description = {
        "Run only these sides, with commas between: ${COMPLETION-CANDIDATES}.",
        "Default: all sides except OUR_CLIENT, our client on Apache Kudu's servers,"
            + " which only 'bench client' uses, and OURS_TCP, servers without a"
            + " Unix-domain socket. A cluster of --against replaces ours, a"
            + " cluster of --baseline replaces Apache Kudu's."
      })
  private Set<Side> only;

  @Option(
      names = "--against",
      paramLabel = "MASTERS",
      description =
          "Use this existing cluster, which may be any that supports Kudu's protocol,"
              + " instead of starting one: HOST:PORT of each master, with commas between.")
  private String against;

  @Option(
      names = "--baseline",
      paramLabel = "MASTERS",
      description = "With --against: compare with this cluster.")
  private String baseline;

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "Replicas of each tablet, and tablet servers of each started cluster.")
  private int replicas;

  @Option(
      names = "--memory-limit-mb",
      defaultValue = "3072",
      description = "--memory_limit_hard_bytes of each started server, in MB.")
  private int memoryLimitMegabytes;

  /** The directories of the programs that are started. */
  public HomeOptions home() {
    return home;
  }

  public int replicas() {
    return replicas;
  }

  /**
   * The sides that run, with their clusters. Two sides with different clients may share a cluster.
   */
  public Map<Side, ClusterSource> sources() {
    return sources(List.of());
  }

  /**
   * @param publishedFlags flags of the published Apache Kudu, if it is started
   */
  public Map<Side, ClusterSource> sources(List<String> publishedFlags) {
    return sources(
        EnumSet.complementOf(EnumSet.of(Side.OUR_CLIENT, Side.OURS_TCP)), publishedFlags);
  }

  /**
   * @param byDefault the sides that run if {@code --only} is not given
   * @param publishedFlags flags of the published Apache Kudu, if it is started
   */
  public Map<Side, ClusterSource> sources(Set<Side> byDefault, List<String> publishedFlags) {
    if (baseline != null && against == null) {
      throw new ParameterException(command.commandLine(), "--baseline needs --against");
    }
    if (replicas < 1 || replicas % 2 == 0) {
      throw new ParameterException(command.commandLine(), "--replicas must be odd, such as 1 or 3");
    }
    ClusterSource ours = null;
    ClusterSource theirs = null;
    Map<Side, ClusterSource> sources = new EnumMap<>(Side.class);
    for (Side side : sides(byDefault)) {
      if (side == Side.OURS_TCP) {
        sources.put(side, withoutLocalSocket());
      } else if (side.hasOurServers()) {
        ours = ours != null ? ours : oursOrGiven();
        sources.put(side, ours);
      } else {
        theirs = theirs != null ? theirs : theirsOrGiven(publishedFlags);
        sources.put(side, theirs);
      }
    }
    return sources;
  }

  private Set<Side> sides(Set<Side> byDefault) {
    Set<Side> sides = EnumSet.copyOf(only != null ? only : byDefault);
    if (against != null && baseline == null) {
      sides.removeIf(side -> !side.hasOurServers());
    }
    if (sides.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), "--only leaves no sides to run: the given sides need --baseline");
    }
    return sides;
  }

  private ClusterSource oursOrGiven() {
    return against != null ? new ClusterSource.Given(against) : started(home.ours(), List.of());
  }

  private ClusterSource withoutLocalSocket() {
    if (against != null) {
      throw new ParameterException(
          command.commandLine(), "OURS_TCP starts servers of its own; it cannot use --against");
    }
    return started(home.ours(), List.of("--rpc_listen_on_unix_domain_socket=false"));
  }

  private ClusterSource theirsOrGiven(List<String> flags) {
    return baseline != null ? new ClusterSource.Given(baseline) : started(home.published(), flags);
  }

  private ClusterSource started(Distribution distribution, List<String> moreFlags) {
    List<String> flags = new ArrayList<>(moreFlags);
    flags.add("--memory_limit_hard_bytes=" + ((long) memoryLimitMegabytes << 20));
    return new ClusterSource.Started(distribution, replicas, flags);
  }

  /** The title of a side in the table. */
  public String title(Side side) {
    if (against == null) {
      return side.title();
    }
    return (side.hasOurServers() ? against : baseline)
        + (side.hasOurClient() ? ", our client" : ", published client");
  }

  /** The title of one kind of servers. */
  public String serversTitle(boolean ours) {
    if (against == null) {
      return ours ? "Kudu4j's servers" : "Apache Kudu's servers";
    }
    return ours ? against : baseline;
  }

  /** The settings, for the JSON file. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("replicas", replicas);
    if (against == null) {
      map.put("memory_limit_hard_bytes", (long) memoryLimitMegabytes << 20);
    } else {
      map.put("against", against);
      map.put("baseline", baseline);
    }
    return map;
  }
}
