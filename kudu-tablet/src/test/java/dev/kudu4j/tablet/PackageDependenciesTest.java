package dev.kudu4j.tablet;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The packages of the engine have no dependency cycles.
 *
 * <p>The root package is the facade above all others and belongs to no slice. The packages below it
 * may use its two value records only.
 */
@AnalyzeClasses(
    packages = "dev.kudu4j.tablet",
    importOptions = ImportOption.DoNotIncludeTests.class)
class PackageDependenciesTest {
  @ArchTest
  static final ArchRule PACKAGES_HAVE_NO_CYCLES =
      slices().matching("dev.kudu4j.tablet.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule PACKAGES_DO_NOT_USE_THE_FACADE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.kudu4j.tablet")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.kudu4j.tablet")
                  .and(DescribedPredicate.not(nameMatching(".*\\.Tablet(Descriptor|Statistics)"))));
}
