package dev.kudu4j.benchmarks.parts;

import dev.kudu4j.benchmarks.options.OutputOptions;
import dev.kudu4j.benchmarks.report.Machine;
import dev.kudu4j.benchmarks.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench parts}: parts of the engine compared with their usual alternatives. */
@Command(
    name = "parts",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Runs JMH benchmarks of parts of the engine, each with a baseline in the same run.",
      "Prints a table with the ratios; JMH's own report goes to standard error."
    })
public final class PartsCommand implements Callable<Integer> {
  private static final String PACKAGE = PartsCommand.class.getPackageName();

  @Mixin private OutputOptions output;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Run only benchmarks whose class name starts with one of these.")
  private List<String> names = List.of();

  @Option(
      names = "--iterations",
      defaultValue = "5",
      description = "Measured iterations of each benchmark.")
  private int iterations;

  @Option(names = "--warm-up", defaultValue = "5", description = "Warm-up iterations.")
  private int warmUp;

  @Option(names = "--millis", defaultValue = "500", description = "Duration of an iteration.")
  private long millis;

  @Override
  public Integer call() throws RunnerException, IOException {
    Machine machine = Machine.here();
    List<PartResult> results = PartResult.of(run());
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("iterations", iterations);
    settings.put("warm_up", warmUp);
    settings.put("millis", millis);
    output.publish(
        new Report("Parts of the engine", machine, settings)
            .table(PartResult.table(results))
            .data("contests", results));
    return 0;
  }

  private Collection<RunResult> run() throws RunnerException, IOException {
    Path log = Files.createTempFile("kudu-bench-parts", ".log");
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .jvmArgsAppend("-Xms3g", "-Xmx3g", "-XX:MaxDirectMemorySize=4g", "-XX:+UseParallelGC")
            .jvmArgsPrepend("-Dlogback.configurationFile=dev/kudu4j/benchmarks/logback.xml")
            .warmupIterations(warmUp)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(millis))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.NORMAL);
    if (names.isEmpty()) {
      options.include("^" + PACKAGE + "\\.");
    }
    for (String name : names) {
      options.include("^" + PACKAGE + "\\." + name);
    }
    output.progress("JMH's report: " + log);
    return new Runner(options.output(log.toString()).build()).run();
  }
}
